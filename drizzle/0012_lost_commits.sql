CREATE TABLE "process" (
	"id" text PRIMARY KEY NOT NULL,
	"beats" bigint NOT NULL,
	"server" text NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"gone_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "deployment" ADD COLUMN "lost_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "deployment" ADD COLUMN "lost_done_at" timestamp with time zone;