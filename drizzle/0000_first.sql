CREATE TABLE "attempt" (
	"id" uuid PRIMARY KEY NOT NULL,
	"job_id" uuid NOT NULL,
	"binding_id" uuid NOT NULL,
	"chunk" integer NOT NULL,
	"n" integer DEFAULT 1 NOT NULL,
	"state" text DEFAULT 'planned' NOT NULL,
	"epoch" integer DEFAULT 0 NOT NULL,
	"owner" text,
	"payload_sha256" "bytea" NOT NULL,
	"text_sha256" "bytea" NOT NULL,
	"line" text NOT NULL,
	"recipients" text[] NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"reserved_at" timestamp with time zone,
	"on_wire_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"outcome" text,
	"gateway_code" integer,
	"raw" text
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chat_id" uuid,
	"person_id" bigint,
	"update_id" bigint,
	"action" text NOT NULL,
	"details" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "binding" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chat_id" uuid NOT NULL,
	"state" text NOT NULL,
	"credentials" "bytea",
	"kinds" text[] NOT NULL,
	"prints" text[] NOT NULL,
	"password_print" text,
	"key_tail" text DEFAULT '' NOT NULL,
	"account_name" text DEFAULT '' NOT NULL,
	"line" text,
	"created_by" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "button" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"action" text NOT NULL,
	"payload" jsonb NOT NULL,
	"chat_id" uuid NOT NULL,
	"person_id" bigint,
	"min_rank" integer DEFAULT 0 NOT NULL,
	"draft_id" uuid,
	"version" integer,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"used_by" bigint,
	"used_update" bigint
);
--> statement-breakpoint
CREATE TABLE "chat" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"telegram_id" bigint NOT NULL,
	"type" text NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"lang" text,
	"time_zone" text,
	"last_card" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_telegram_id_unique" UNIQUE("telegram_id")
);
--> statement-breakpoint
CREATE TABLE "deep_link" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"chat_id" uuid NOT NULL,
	"person_id" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_update" bigint
);
--> statement-breakpoint
CREATE TABLE "delivery" (
	"attempt_id" uuid NOT NULL,
	"recipient" text NOT NULL,
	"message_id" text NOT NULL,
	"kind" text NOT NULL,
	"raw_state" text DEFAULT '' NOT NULL,
	"raw_text" text DEFAULT '' NOT NULL,
	"checked_at" timestamp with time zone,
	CONSTRAINT "delivery_attempt_id_recipient_pk" PRIMARY KEY("attempt_id","recipient"),
	CONSTRAINT "delivery_message_id_digits" CHECK (message_id ~ '^[0-9]+$')
);
--> statement-breakpoint
CREATE TABLE "draft" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chat_id" uuid NOT NULL,
	"binding_id" uuid NOT NULL,
	"code" text NOT NULL,
	"bot_id" bigint NOT NULL,
	"source_update" bigint NOT NULL,
	"author_id" bigint NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"text" text NOT NULL,
	"recipients" text[] NOT NULL,
	"repeated" jsonb NOT NULL,
	"invalid" jsonb NOT NULL,
	"line" text NOT NULL,
	"flash" boolean DEFAULT false NOT NULL,
	"lang" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"thread_id" integer,
	"card_message_id" integer
);
--> statement-breakpoint
CREATE TABLE "form" (
	"key" text PRIMARY KEY NOT NULL,
	"update_id" bigint NOT NULL,
	"state" "bytea" NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job" (
	"id" uuid PRIMARY KEY NOT NULL,
	"draft_id" uuid NOT NULL,
	"chat_id" uuid NOT NULL,
	"binding_id" uuid NOT NULL,
	"state" text NOT NULL,
	"payload_sha256" "bytea" NOT NULL,
	"confirmed_by" bigint NOT NULL,
	"confirmed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"hold_until" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"stop_reason" text,
	"stopped_by" bigint,
	"poll_after_seconds" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "job_draft_id_unique" UNIQUE("draft_id")
);
--> statement-breakpoint
CREATE TABLE "line" (
	"binding_id" uuid NOT NULL,
	"number" text NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "line_binding_id_number_pk" PRIMARY KEY("binding_id","number")
);
--> statement-breakpoint
CREATE TABLE "member" (
	"chat_id" uuid NOT NULL,
	"person_id" bigint NOT NULL,
	"role" text NOT NULL,
	"granted_by" bigint NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "member_chat_id_person_id_pk" PRIMARY KEY("chat_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "person" (
	"telegram_id" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"username" text,
	"lang" text,
	"mobile" text,
	"met_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "topic_line" (
	"chat_id" uuid NOT NULL,
	"thread_id" integer NOT NULL,
	"line" text NOT NULL,
	CONSTRAINT "topic_line_chat_id_thread_id_pk" PRIMARY KEY("chat_id","thread_id")
);
--> statement-breakpoint
CREATE TABLE "update" (
	"bot_id" bigint NOT NULL,
	"update_id" bigint NOT NULL,
	"payload" "bytea",
	"tries" integer DEFAULT 0 NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone,
	CONSTRAINT "update_bot_id_update_id_pk" PRIMARY KEY("bot_id","update_id")
);
--> statement-breakpoint
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_job_id_job_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."job"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_binding_id_binding_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."binding"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit" ADD CONSTRAINT "audit_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "binding" ADD CONSTRAINT "binding_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "button" ADD CONSTRAINT "button_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deep_link" ADD CONSTRAINT "deep_link_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_attempt_id_attempt_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempt"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft" ADD CONSTRAINT "draft_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft" ADD CONSTRAINT "draft_binding_id_binding_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."binding"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job" ADD CONSTRAINT "job_draft_id_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."draft"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job" ADD CONSTRAINT "job_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job" ADD CONSTRAINT "job_binding_id_binding_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."binding"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line" ADD CONSTRAINT "line_binding_id_binding_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."binding"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_person_id_person_telegram_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."person"("telegram_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_line" ADD CONSTRAINT "topic_line_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "attempt_chunk" ON "attempt" USING btree ("job_id","chunk","n");--> statement-breakpoint
CREATE UNIQUE INDEX "attempt_one_live" ON "attempt" USING btree ("job_id","chunk") WHERE state in ('reserved', 'on_wire', 'unknown', 'asked', 'accepted', 'sent');--> statement-breakpoint
CREATE INDEX "attempt_open" ON "attempt" USING btree ("binding_id","state") WHERE state in ('reserved', 'on_wire', 'unknown', 'asked');--> statement-breakpoint
CREATE INDEX "audit_chat" ON "audit" USING btree ("chat_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "binding_one_live" ON "binding" USING btree ("chat_id") WHERE state = 'live';--> statement-breakpoint
CREATE INDEX "button_expiry" ON "button" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "button_draft" ON "button" USING btree ("draft_id");--> statement-breakpoint
CREATE UNIQUE INDEX "draft_source" ON "draft" USING btree ("bot_id","source_update");--> statement-breakpoint
CREATE UNIQUE INDEX "draft_code" ON "draft" USING btree ("chat_id","code");--> statement-breakpoint
CREATE INDEX "update_open" ON "update" USING btree ("bot_id","update_id") WHERE done_at is null;--> statement-breakpoint
CREATE INDEX "update_received" ON "update" USING btree ("received_at");