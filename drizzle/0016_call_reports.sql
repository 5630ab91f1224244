-- contract: reports are kept by the call from here on, where programs before it neither see them nor ask for them
CREATE TABLE "call_report" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"job_id" uuid NOT NULL,
	"chunk" integer NOT NULL,
	"ids" text NOT NULL,
	"marks" text NOT NULL,
	"words" jsonb NOT NULL,
	"open" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sent_number" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"numbers" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "call_report" ADD CONSTRAINT "call_report_attempt_id_attempt_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempt"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sent_number" ADD CONSTRAINT "sent_number_attempt_id_attempt_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempt"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "call_report_job" ON "call_report" USING btree ("job_id","chunk");--> statement-breakpoint
CREATE INDEX "call_report_open" ON "call_report" USING btree ("job_id","chunk") WHERE open > 0;--> statement-breakpoint
CREATE INDEX "sent_number_numbers" ON "sent_number" USING gin ("numbers");