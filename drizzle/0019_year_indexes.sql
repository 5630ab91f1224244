-- allowed: a row for each call, half a minute for ten million; sends of that time wait and leave then
CREATE INDEX "attempt_ended" ON "attempt" USING btree ("binding_id","ended_at") WHERE ended_at is not null;--> statement-breakpoint
-- allowed: a row for each received message; built in moments
CREATE INDEX "inbound_captured" ON "inbound" USING btree ("account_id","captured_at");--> statement-breakpoint
-- allowed: a row for each send; built in moments
CREATE INDEX "job_due" ON "job" USING btree ("hold_until") WHERE state in ('scheduled', 'holding', 'running');--> statement-breakpoint
-- allowed: a row for each correspondent; built in moments
CREATE INDEX "talk_waiting" ON "talk" USING btree ("account_id","last_in_at") WHERE (done_at is null or done_at < last_in_at) and (answered_at is null or answered_at < last_in_at);--> statement-breakpoint
-- allowed: a row for each correspondent; built in moments
CREATE INDEX "talk_taken" ON "talk" USING btree ("taken_by") WHERE taken_by is not null;