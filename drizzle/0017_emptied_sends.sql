ALTER TABLE "job" ADD COLUMN "kept" text DEFAULT 'all' NOT NULL;--> statement-breakpoint
-- allowed: built in moments, a row for each send
CREATE INDEX "job_past" ON "job" USING btree ("ended_at") WHERE kept = 'all' and ended_at is not null;--> statement-breakpoint
-- allowed: built in moments, a row for each send
CREATE INDEX "job_going" ON "job" USING btree ("id") WHERE kept = 'going';