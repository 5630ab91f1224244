CREATE TABLE "date_run" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "date_run_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" uuid NOT NULL,
	"day" text NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "date_send" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"chat_id" uuid NOT NULL,
	"bot_id" bigint NOT NULL,
	"source_update" bigint NOT NULL,
	"state" text DEFAULT 'proposed' NOT NULL,
	"tag" text NOT NULL,
	"field" text NOT NULL,
	"yearly" boolean NOT NULL,
	"days_before" integer NOT NULL,
	"minute" integer NOT NULL,
	"text" text NOT NULL,
	"line" text NOT NULL,
	"lang" text NOT NULL,
	"thread_id" integer,
	"created_by" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_by" bigint,
	"done_on" text,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "date_sent" (
	"order_id" uuid NOT NULL,
	"number" text NOT NULL,
	"occasion" integer NOT NULL,
	"run_id" bigint NOT NULL,
	CONSTRAINT "date_sent_order_id_number_occasion_pk" PRIMARY KEY("order_id","number","occasion")
);
--> statement-breakpoint
ALTER TABLE "date_run" ADD CONSTRAINT "date_run_order_id_date_send_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."date_send"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "date_send" ADD CONSTRAINT "date_send_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "date_sent" ADD CONSTRAINT "date_sent_order_id_date_send_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."date_send"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "date_sent" ADD CONSTRAINT "date_sent_run_id_date_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."date_run"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "date_run_order" ON "date_run" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "date_run_made" ON "date_run" USING btree ("made_at");--> statement-breakpoint
CREATE UNIQUE INDEX "date_send_source" ON "date_send" USING btree ("bot_id","source_update");--> statement-breakpoint
CREATE INDEX "date_send_chat" ON "date_send" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "date_sent_run" ON "date_sent" USING btree ("run_id");