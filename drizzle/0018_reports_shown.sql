ALTER TABLE "deployment" ADD COLUMN "reports_shown_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "process" ADD COLUMN "reads_reports" boolean DEFAULT false NOT NULL;