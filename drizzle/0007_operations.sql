CREATE TABLE "audit_link" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_link_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chat_id" uuid,
	"audit_id" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "audit_link_audit_id_unique" UNIQUE("audit_id")
);
--> statement-breakpoint
CREATE TABLE "deployment" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"held_at" timestamp with time zone,
	"restored_from" timestamp with time zone,
	"restored_at" timestamp with time zone,
	CONSTRAINT "deployment_one" CHECK ("deployment"."one")
);
--> statement-breakpoint
ALTER TABLE "audit_link" ADD CONSTRAINT "audit_link_audit_id_audit_id_fk" FOREIGN KEY ("audit_id") REFERENCES "public"."audit"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_link_chat" ON "audit_link" USING btree ("chat_id","id");--> statement-breakpoint
-- allowed: built in moments; a row for each person who ever wrote to the bot, and one is written when a name changes
CREATE INDEX "person_username" ON "person" USING btree (lower("username"));--> statement-breakpoint
INSERT INTO "deployment" DEFAULT VALUES;--> statement-breakpoint
-- Of several who were seen with a user name nobody knows who has it now: it is noted again when they write.
-- allowed: older programs note a user name as before, whatever stands there
UPDATE "person" SET "username" = null WHERE lower("username") IN (
  SELECT lower("username") FROM "person" GROUP BY 1 HAVING count(*) > 1);--> statement-breakpoint
-- What is hashed has one spelling: the array as jsonb writes it, times as microseconds. src/storage/audit-chain.ts
-- spells it out once more, so that it need not believe what stands here.
CREATE FUNCTION link_audit(entry audit) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before bytea;
BEGIN
  IF entry.chat_id IS NULL THEN
    SELECT l.hash INTO before FROM audit_link l WHERE l.chat_id IS NULL ORDER BY l.id DESC LIMIT 1;
  ELSE
    SELECT l.hash INTO before FROM audit_link l WHERE l.chat_id = entry.chat_id ORDER BY l.id DESC LIMIT 1;
  END IF;
  INSERT INTO audit_link (chat_id, audit_id, hash) VALUES (entry.chat_id, entry.id, sha256(coalesce(before, '') ||
    convert_to(jsonb_build_array(entry.id, entry.chat_id, entry.person_id, entry.update_id, entry.action, entry.details,
      (extract(epoch from entry.at) * 1000000)::bigint)::text, 'UTF8')));
END $$;
--> statement-breakpoint
-- At the end of the transaction: the lock on the chain is the last that it takes, and is held for the commit alone.
CREATE FUNCTION link_new_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('audit ' || coalesce(NEW.chat_id::text, ''), 0));
  PERFORM link_audit(NEW);
  RETURN null;
END $$;
--> statement-breakpoint
-- allowed: it adds a row of its own for each that older programs add to the audit, and refuses none
CREATE CONSTRAINT TRIGGER audit_linked AFTER INSERT ON "audit" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION link_new_audit();--> statement-breakpoint
CREATE TRIGGER audit_link_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_link"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();--> statement-breakpoint
-- allowed: it writes to the new table alone, while the trigger that was just made keeps others from adding to the audit
DO $$
DECLARE
  entry audit;
BEGIN
  FOR entry IN SELECT * FROM audit ORDER BY id LOOP
    PERFORM link_audit(entry);
  END LOOP;
END $$;
