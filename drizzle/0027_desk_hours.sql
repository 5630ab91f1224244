ALTER TABLE "chat" ADD COLUMN "desk_from" integer;--> statement-breakpoint
ALTER TABLE "chat" ADD COLUMN "desk_to" integer;--> statement-breakpoint
ALTER TABLE "chat" ADD COLUMN "desk_days" integer[];