ALTER TABLE "date_send" ADD COLUMN "binding_id" uuid;--> statement-breakpoint
-- allowed: the column is new and empty, and programs before it do not write it; a chat has a few dozen rows at most.
ALTER TABLE "date_send" ADD CONSTRAINT "date_send_binding_id_binding_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."binding"("id") ON DELETE no action ON UPDATE no action;