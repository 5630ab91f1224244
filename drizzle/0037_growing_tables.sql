-- allowed: nothing needs it to be right; one that is made below has what it had
DROP INDEX "job_binding";
--> statement-breakpoint
-- allowed: nothing needs it to be right; one that is made below has what it had
DROP INDEX "job_waiting";
--> statement-breakpoint
-- allowed: it looks through the audit once, a second for a million rows, and holds the few that are rejections
CREATE INDEX "audit_rejected" ON "audit" USING btree ("chat_id",(details ->> 'code')) WHERE action = 'send_rejected_by_approver';
--> statement-breakpoint
-- allowed: a row for each send; built in a second or two where there are a million
CREATE INDEX "draft_resends" ON "draft" USING gin ((details -> 'resends'));
--> statement-breakpoint
-- allowed: a row for each send; built in a second or two where there are a million
CREATE INDEX "draft_answers" ON "draft" USING btree (((details -> 'answers' ->> 'inboundId')::bigint));
--> statement-breakpoint
-- allowed: a row for each send; built in a second or two where there are a million
CREATE INDEX "draft_author" ON "draft" USING btree ("chat_id","author_id","created_at");
--> statement-breakpoint
-- allowed: a row for each send; built in a second or two where there are a million
CREATE INDEX "draft_card" ON "draft" USING btree ("chat_id","card_message_id") WHERE card_message_id is not null;
--> statement-breakpoint
-- allowed: a row for each send; built in a second or two where there are a million
CREATE INDEX "draft_call" ON "draft" USING btree ("chat_id","call_message_id") WHERE call_message_id is not null;
--> statement-breakpoint
-- allowed: a row for each send; built in a second or two where there are a million
CREATE INDEX "job_ended" ON "job" USING btree ("binding_id",coalesce(ended_at, 'infinity'));
--> statement-breakpoint
-- allowed: a row for each send; built in a second or two where there are a million
CREATE INDEX "job_open" ON "job" USING btree ("chat_id","hold_until") WHERE state in ('scheduled', 'missed', 'holding', 'running', 'paused');
--> statement-breakpoint
-- allowed: of the received messages that were told, it takes a second or two for a million rows
CREATE INDEX "notice_said" ON "notice" USING btree ("sink_id","sent_at") WHERE kind = 'inbound' and message_id is not null;
