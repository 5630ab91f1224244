CREATE TABLE "resting_role" (
	"chat_id" uuid NOT NULL,
	"person_id" bigint NOT NULL,
	"role" text NOT NULL,
	"granted_by" bigint NOT NULL,
	"granted_at" timestamp with time zone NOT NULL,
	"left_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "resting_role_chat_id_person_id_pk" PRIMARY KEY("chat_id","person_id")
);
--> statement-breakpoint
ALTER TABLE "resting_role" ADD CONSTRAINT "resting_role_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resting_role" ADD CONSTRAINT "resting_role_person_id_person_telegram_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."person"("telegram_id") ON DELETE no action ON UPDATE no action;