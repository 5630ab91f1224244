ALTER TABLE "attempt" ADD COLUMN "pace_ms" bigint;--> statement-breakpoint
ALTER TABLE "draft" ADD COLUMN "pace_per_hour" integer;--> statement-breakpoint
ALTER TABLE "draft" ADD COLUMN "pace_from" integer;--> statement-breakpoint
ALTER TABLE "draft" ADD COLUMN "pace_to" integer;--> statement-breakpoint
ALTER TABLE "job" ADD COLUMN "pace_ms" bigint;--> statement-breakpoint
ALTER TABLE "job" ADD COLUMN "pace_until" timestamp with time zone;