ALTER TABLE "sent_number" ALTER COLUMN "numbers" SET DEFAULT '{}';--> statement-breakpoint
ALTER TABLE "sent_number" ADD COLUMN "tails" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- allowed: made anew below, in the same transaction, for what older programs still write
DROP INDEX "sent_number_numbers";--> statement-breakpoint
-- contract: by their end from here on; a program before it would not find whose a message is. A minute for ten million calls
UPDATE "sent_number" SET "numbers" = '{}', "tails" = array(
  SELECT case when r ~ '^[0-9]+$' then right(r, 7)::int end FROM unnest("numbers") AS r
);--> statement-breakpoint
-- allowed: of rows that are empty by now
CREATE INDEX "sent_number_numbers" ON "sent_number" USING gin ("numbers");--> statement-breakpoint
-- allowed: a row for each call; reports that are begun in that time wait
CREATE INDEX "sent_number_tails" ON "sent_number" USING gin ("tails");--> statement-breakpoint
-- allowed: a row for each call, half a minute for ten million; sends of that time wait and leave then
CREATE INDEX "attempt_keyed" ON "attempt" USING btree ("ended_at") WHERE message_keys <> '{}' and state in ('accepted', 'sent');
