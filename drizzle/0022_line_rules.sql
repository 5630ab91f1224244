CREATE TABLE "line_rule" (
	"chat_id" uuid NOT NULL,
	"line" text NOT NULL,
	"purpose" text,
	"window_from" integer,
	"window_to" integer,
	"required" text,
	"words" text[] DEFAULT '{}' NOT NULL,
	"updated_by" bigint NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "line_rule_chat_id_line_pk" PRIMARY KEY("chat_id","line")
);
--> statement-breakpoint
ALTER TABLE "line_rule" ADD CONSTRAINT "line_rule_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;