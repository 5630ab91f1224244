CREATE TABLE "account" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"chat_id" uuid NOT NULL,
	"name" text NOT NULL,
	"binding_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone DEFAULT now(),
	"inbox_due_at" timestamp with time zone DEFAULT now(),
	"credit_due_at" timestamp with time zone DEFAULT now(),
	"details_due_at" timestamp with time zone DEFAULT now(),
	"lease_owner" text,
	"lease_until" timestamp with time zone,
	"inbox_read_at" timestamp with time zone,
	"inbox_total" integer,
	"newest_first" boolean,
	"last_inbound_at" timestamp with time zone,
	"audited_on" text,
	"inbox_ok_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"marks_read" boolean DEFAULT false NOT NULL,
	"receiving_at" timestamp with time zone,
	"opt_out_lines" text[] DEFAULT '{}' NOT NULL,
	"first_credit_rial" bigint,
	"status" text,
	"expires_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "alarm" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"chat_id" uuid NOT NULL,
	"account_id" uuid,
	"kind" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"level" integer DEFAULT 1 NOT NULL,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"acked_by" bigint,
	"acked_at" timestamp with time zone,
	"remind_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "alert_setting" (
	"chat_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"threshold" bigint,
	"muted_until" timestamp with time zone,
	"muted_by" bigint,
	CONSTRAINT "alert_setting_chat_id_kind_pk" PRIMARY KEY("chat_id","kind")
);
--> statement-breakpoint
CREATE TABLE "auto_answer" (
	"account_id" uuid NOT NULL,
	"number" text NOT NULL,
	"day" text NOT NULL,
	"inbound_id" bigint NOT NULL,
	CONSTRAINT "auto_answer_account_id_number_day_pk" PRIMARY KEY("account_id","number","day")
);
--> statement-breakpoint
CREATE TABLE "contact" (
	"chat_id" uuid NOT NULL,
	"number" text NOT NULL,
	"name" text NOT NULL,
	"set_by" bigint NOT NULL,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_chat_id_number_pk" PRIMARY KEY("chat_id","number")
);
--> statement-breakpoint
CREATE TABLE "inbound" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inbound_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" uuid NOT NULL,
	"talk_id" uuid NOT NULL,
	"key" text NOT NULL,
	"content_sha256" "bytea" NOT NULL,
	"message_id" text,
	"line" text NOT NULL,
	"sender" text NOT NULL,
	"text" text NOT NULL,
	"sent_at" timestamp with time zone,
	"captured_at" timestamp with time zone DEFAULT now() NOT NULL,
	"folded" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbox_rule" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"chat_id" uuid NOT NULL,
	"line" text,
	"way" text NOT NULL,
	"words" text NOT NULL,
	"sink_id" uuid,
	"answer" text,
	"created_by" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notice" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notice_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sink_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"inbound_id" bigint,
	"alarm_id" uuid,
	"draft_id" uuid,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"not_before" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"doubtful" integer DEFAULT 0 NOT NULL,
	"message_id" integer,
	"thread_id" integer
);
--> statement-breakpoint
CREATE TABLE "sink" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"chat_id" uuid NOT NULL,
	"telegram_id" bigint,
	"thread_id" integer,
	"title" text DEFAULT '' NOT NULL,
	"lang" text,
	"kinds" text[] NOT NULL,
	"topics" boolean DEFAULT false NOT NULL,
	"quiet_from" integer,
	"quiet_to" integer,
	"digest_at" integer,
	"digest_day" integer,
	"digested_on" text,
	"off_reason" text,
	"off_at" timestamp with time zone,
	"created_by" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "talk" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"line" text NOT NULL,
	"number" text NOT NULL,
	"last_in_at" timestamp with time zone DEFAULT now() NOT NULL,
	"taken_by" bigint,
	"taken_at" timestamp with time zone,
	"answered_by" bigint,
	"answered_at" timestamp with time zone,
	"done_by" bigint,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "talk_topic" (
	"sink_id" uuid NOT NULL,
	"talk_id" uuid NOT NULL,
	"thread_id" integer NOT NULL,
	CONSTRAINT "talk_topic_sink_id_talk_id_pk" PRIMARY KEY("sink_id","talk_id")
);
--> statement-breakpoint
ALTER TABLE "button" ADD COLUMN "home_chat_id" uuid;--> statement-breakpoint
ALTER TABLE "draft" ADD COLUMN "tag" text;--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_binding_id_binding_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."binding"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm" ADD CONSTRAINT "alarm_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm" ADD CONSTRAINT "alarm_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_setting" ADD CONSTRAINT "alert_setting_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_answer" ADD CONSTRAINT "auto_answer_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_answer" ADD CONSTRAINT "auto_answer_inbound_id_inbound_id_fk" FOREIGN KEY ("inbound_id") REFERENCES "public"."inbound"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact" ADD CONSTRAINT "contact_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound" ADD CONSTRAINT "inbound_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound" ADD CONSTRAINT "inbound_talk_id_talk_id_fk" FOREIGN KEY ("talk_id") REFERENCES "public"."talk"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_rule" ADD CONSTRAINT "inbox_rule_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_rule" ADD CONSTRAINT "inbox_rule_sink_id_sink_id_fk" FOREIGN KEY ("sink_id") REFERENCES "public"."sink"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_sink_id_sink_id_fk" FOREIGN KEY ("sink_id") REFERENCES "public"."sink"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_inbound_id_inbound_id_fk" FOREIGN KEY ("inbound_id") REFERENCES "public"."inbound"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_alarm_id_alarm_id_fk" FOREIGN KEY ("alarm_id") REFERENCES "public"."alarm"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_draft_id_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."draft"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sink" ADD CONSTRAINT "sink_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "talk" ADD CONSTRAINT "talk_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "talk_topic" ADD CONSTRAINT "talk_topic_sink_id_sink_id_fk" FOREIGN KEY ("sink_id") REFERENCES "public"."sink"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "talk_topic" ADD CONSTRAINT "talk_topic_talk_id_talk_id_fk" FOREIGN KEY ("talk_id") REFERENCES "public"."talk"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_name" ON "account" USING btree ("chat_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "account_binding" ON "account" USING btree ("binding_id");--> statement-breakpoint
CREATE INDEX "account_due" ON "account" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "alarm_open" ON "alarm" USING btree ("chat_id","kind","subject") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "alarm_account" ON "alarm" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_once" ON "inbound" USING btree ("account_id","key","content_sha256");--> statement-breakpoint
CREATE INDEX "inbound_talk" ON "inbound" USING btree ("talk_id","id");--> statement-breakpoint
CREATE INDEX "inbound_time" ON "inbound" USING btree ("account_id","sent_at");--> statement-breakpoint
CREATE INDEX "inbox_rule_chat" ON "inbox_rule" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "notice_open" ON "notice" USING btree ("sink_id","id") WHERE state in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX "notice_inbound" ON "notice" USING btree ("inbound_id");--> statement-breakpoint
CREATE INDEX "notice_alarm" ON "notice" USING btree ("alarm_id");--> statement-breakpoint
CREATE INDEX "notice_draft" ON "notice" USING btree ("draft_id");--> statement-breakpoint
CREATE INDEX "notice_message" ON "notice" USING btree ("sink_id","message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sink_place" ON "sink" USING btree ("chat_id",coalesce("telegram_id", 0),coalesce("thread_id", 0));--> statement-breakpoint
CREATE INDEX "sink_telegram" ON "sink" USING btree ("telegram_id");--> statement-breakpoint
CREATE UNIQUE INDEX "talk_who" ON "talk" USING btree ("account_id","line","number");--> statement-breakpoint
CREATE INDEX "talk_topic_thread" ON "talk_topic" USING btree ("sink_id","thread_id");--> statement-breakpoint
ALTER TABLE "button" ADD CONSTRAINT "button_home_chat_id_chat_id_fk" FOREIGN KEY ("home_chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "delivery_recipient" ON "delivery" USING btree ("recipient");--> statement-breakpoint
CREATE INDEX "draft_tag" ON "draft" USING btree ("chat_id","tag") WHERE tag is not null;--> statement-breakpoint
INSERT INTO "account" ("chat_id", "name", "binding_id") SELECT "chat_id", coalesce(nullif("account_name", ''), "id"::text), "id" FROM "binding" WHERE "state" = 'live';
--> statement-breakpoint
INSERT INTO "sink" ("chat_id", "kinds", "created_by") SELECT "chat_id", '{inbound,credit,job,gateway,inbox}', "created_by" FROM "binding" WHERE "state" = 'live';
