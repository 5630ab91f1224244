ALTER TABLE "talk" ADD COLUMN "snoozed_by" bigint;--> statement-breakpoint
ALTER TABLE "talk" ADD COLUMN "snoozed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "template" ADD COLUMN "for_answers" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- allowed: built in moments; of the correspondents, whom it looks through once, it holds those alone who are put off
CREATE INDEX "talk_snoozed" ON "talk" USING btree ("snoozed_until") WHERE snoozed_by is not null;