CREATE TABLE "book_change" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chat_id" uuid NOT NULL,
	"binding_id" uuid NOT NULL,
	"bot_id" bigint NOT NULL,
	"source_update" bigint NOT NULL,
	"person_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"book_id" text,
	"title" text NOT NULL,
	"flag" text NOT NULL,
	"numbers" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "chat_limits" (
	"chat_id" uuid PRIMARY KEY NOT NULL,
	"approval_parts" integer,
	"cap_rial" bigint,
	"cap_parts" integer,
	"window_from" integer,
	"window_to" integer,
	"updated_by" bigint NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registration" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chat_id" uuid NOT NULL,
	"binding_id" uuid NOT NULL,
	"bot_id" bigint NOT NULL,
	"source_update" bigint NOT NULL,
	"person_id" bigint NOT NULL,
	"user_name" text NOT NULL,
	"fields" "bytea",
	"state" text DEFAULT 'prepared' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"called_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deep_link" ALTER COLUMN "person_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "attempt" ADD COLUMN "message_keys" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "attempt" ADD COLUMN "messages" jsonb;--> statement-breakpoint
ALTER TABLE "button" ADD COLUMN "reusable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "deep_link" ADD COLUMN "details" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "draft" ADD COLUMN "kind" text DEFAULT 'text' NOT NULL;--> statement-breakpoint
ALTER TABLE "draft" ADD COLUMN "details" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "job" ADD COLUMN "approved_by" bigint;--> statement-breakpoint
ALTER TABLE "job" ADD COLUMN "parts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "job" ADD COLUMN "price_rial" bigint;--> statement-breakpoint
ALTER TABLE "book_change" ADD CONSTRAINT "book_change_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_change" ADD CONSTRAINT "book_change_binding_id_binding_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."binding"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_limits" ADD CONSTRAINT "chat_limits_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration" ADD CONSTRAINT "registration_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration" ADD CONSTRAINT "registration_binding_id_binding_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."binding"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "book_change_source" ON "book_change" USING btree ("bot_id","source_update");--> statement-breakpoint
CREATE UNIQUE INDEX "registration_source" ON "registration" USING btree ("bot_id","source_update");--> statement-breakpoint
CREATE INDEX "registration_day" ON "registration" USING btree ("binding_id","called_at");--> statement-breakpoint
UPDATE "attempt" a SET "message_keys" = (
	SELECT array_agg(encode(sha256(convert_to(a."line" || chr(31) || r || chr(31) || d."text", 'UTF8')), 'hex'))
	FROM unnest(a."recipients") AS r
)
FROM "job" j, "draft" d
WHERE j."id" = a."job_id" AND d."id" = j."draft_id" AND a."state" IN ('planned', 'reserved', 'on_wire', 'unknown', 'asked');
