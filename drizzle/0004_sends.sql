CREATE TABLE "account_gauge" (
	"binding_id" uuid PRIMARY KEY NOT NULL,
	"credit_rial" bigint,
	"credit_at" timestamp with time zone,
	"gsm_cost" bigint DEFAULT 0 NOT NULL,
	"gsm_parts" bigint DEFAULT 0 NOT NULL,
	"ucs2_cost" bigint DEFAULT 0 NOT NULL,
	"ucs2_parts" bigint DEFAULT 0 NOT NULL,
	"all_cost" bigint DEFAULT 0 NOT NULL,
	"all_parts" bigint DEFAULT 0 NOT NULL,
	"burn_rial_per_day" bigint,
	"learned_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "bulk_call" (
	"draft_id" uuid NOT NULL,
	"chunk" integer NOT NULL,
	"recipients" text[] NOT NULL,
	"texts" text[],
	"row_numbers" integer[] NOT NULL,
	"payload_sha256" "bytea" NOT NULL,
	CONSTRAINT "bulk_call_draft_id_chunk_pk" PRIMARY KEY("draft_id","chunk")
);
--> statement-breakpoint
CREATE TABLE "bulk_skipped" (
	"draft_id" uuid NOT NULL,
	"block" integer NOT NULL,
	"rows" jsonb NOT NULL,
	CONSTRAINT "bulk_skipped_draft_id_block_pk" PRIMARY KEY("draft_id","block")
);
--> statement-breakpoint
CREATE TABLE "bulk_source" (
	"draft_id" uuid NOT NULL,
	"block" integer NOT NULL,
	"rows" jsonb NOT NULL,
	CONSTRAINT "bulk_source_draft_id_block_pk" PRIMARY KEY("draft_id","block")
);
--> statement-breakpoint
CREATE TABLE "template" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"chat_id" uuid NOT NULL,
	"name" text NOT NULL,
	"text" text NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "draft" ALTER COLUMN "source_update" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "attempt" ADD COLUMN "size" integer GENERATED ALWAYS AS (cardinality(recipients)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "attempt" ADD COLUMN "message_ids" text[];--> statement-breakpoint
ALTER TABLE "attempt" ADD COLUMN "blocked" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_limits" ADD COLUMN "person_cap_rial" bigint;--> statement-breakpoint
ALTER TABLE "chat_limits" ADD COLUMN "person_cap_parts" integer;--> statement-breakpoint
ALTER TABLE "chat_limits" ADD COLUMN "halted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chat_limits" ADD COLUMN "halted_by" bigint;--> statement-breakpoint
ALTER TABLE "draft" ADD COLUMN "send_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "draft" ADD COLUMN "recur" text;--> statement-breakpoint
ALTER TABLE "draft" ADD COLUMN "shown_row" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "job" ADD COLUMN "leaves_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
UPDATE "job" SET "leaves_at" = "confirmed_at";--> statement-breakpoint
ALTER TABLE "account_gauge" ADD CONSTRAINT "account_gauge_binding_id_binding_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."binding"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_call" ADD CONSTRAINT "bulk_call_draft_id_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."draft"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_skipped" ADD CONSTRAINT "bulk_skipped_draft_id_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."draft"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_source" ADD CONSTRAINT "bulk_source_draft_id_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."draft"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template" ADD CONSTRAINT "template_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "template_name" ON "template" USING btree ("chat_id",lower("name"));--> statement-breakpoint
CREATE INDEX "attempt_unfiled" ON "attempt" USING btree ("job_id") WHERE message_ids is not null;--> statement-breakpoint
CREATE INDEX "draft_resend" ON "draft" USING btree ((details -> 'resendOf' ->> 'draftId'));--> statement-breakpoint
CREATE INDEX "job_binding" ON "job" USING btree ("binding_id");--> statement-breakpoint
CREATE INDEX "job_day" ON "job" USING btree ("chat_id","leaves_at");--> statement-breakpoint
CREATE INDEX "job_waiting" ON "job" USING btree ("chat_id","hold_until") WHERE state in ('scheduled', 'missed', 'holding');