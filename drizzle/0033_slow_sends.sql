-- allowed: a row for each card, of which few have a pace; built in moments
CREATE INDEX "draft_slow" ON "draft" USING btree ("chat_id") WHERE pace_per_hour is not null;
