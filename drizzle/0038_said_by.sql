-- allowed: a row for each send; built in a second or two where there are a million
CREATE INDEX "draft_said" ON "draft" USING btree ("chat_id",((details ->> 'saidBy')::int)) WHERE details ->> 'saidBy' is not null;
--> statement-breakpoint
-- allowed: a row for each send; built in a second or two where there are a million
CREATE INDEX "draft_text" ON "draft" USING btree ("chat_id",((details ->> 'textBy')::int)) WHERE details ->> 'textBy' is not null;
--> statement-breakpoint
-- allowed: of the correspondents, built in moments
CREATE INDEX "talk_age" ON "talk" USING btree ("last_in_at");
