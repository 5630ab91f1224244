ALTER TABLE "account_gauge" ADD COLUMN "gsm_operators" jsonb;--> statement-breakpoint
ALTER TABLE "account_gauge" ADD COLUMN "ucs2_operators" jsonb;