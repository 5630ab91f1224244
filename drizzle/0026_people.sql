ALTER TABLE "contact" ADD COLUMN "fields" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "contact" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;