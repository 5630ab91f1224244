CREATE TABLE "audit_base" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_base_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chat_id" uuid,
	"rows" bigint NOT NULL,
	"link_id" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_link" ADD COLUMN "salt" "bytea";--> statement-breakpoint
ALTER TABLE "audit_link" ADD COLUMN "forgotten_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_base_chat" ON "audit_base" USING btree (coalesce("chat_id", '00000000-0000-0000-0000-000000000000'));--> statement-breakpoint
-- allowed: a row for each answer that went out by itself
CREATE INDEX "auto_answer_inbound" ON "auto_answer" USING btree ("inbound_id");--> statement-breakpoint
-- allowed: a row for each card; built in moments
CREATE INDEX "draft_unconfirmed" ON "draft" USING btree ("expires_at") WHERE state <> 'confirmed';--> statement-breakpoint
-- allowed: a row for each thing that was told; built in moments
CREATE INDEX "notice_told" ON "notice" USING btree ("created_at") WHERE inbound_id is null;--> statement-breakpoint
-- allowed: a row for each topic of a forum
CREATE INDEX "talk_topic_talk" ON "talk_topic" USING btree ("talk_id");
--> statement-breakpoint
-- What stands at the end of a chain, or before its first row where that was past its time. The salt keeps what was taken
-- out of a row from being found again by trying.
-- allowed: older programs do not call it; it writes what they read, and the salt beside it
CREATE OR REPLACE FUNCTION link_audit(entry audit) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before bytea;
  grain bytea := uuid_send(gen_random_uuid());
BEGIN
  IF entry.chat_id IS NULL THEN
    SELECT l.hash INTO before FROM audit_link l WHERE l.chat_id IS NULL ORDER BY l.id DESC LIMIT 1;
  ELSE
    SELECT l.hash INTO before FROM audit_link l WHERE l.chat_id = entry.chat_id ORDER BY l.id DESC LIMIT 1;
  END IF;
  IF before IS NULL THEN
    SELECT b.hash INTO before FROM audit_base b WHERE b.chat_id IS NOT DISTINCT FROM entry.chat_id;
  END IF;
  INSERT INTO audit_link (chat_id, audit_id, salt, hash) VALUES (entry.chat_id, entry.id, grain,
    sha256(coalesce(before, '') || grain ||
      convert_to(jsonb_build_array(entry.id, entry.chat_id, entry.person_id, entry.update_id, entry.action, entry.details,
        (extract(epoch from entry.at) * 1000000)::bigint)::text, 'UTF8')));
END $$;
--> statement-breakpoint
-- A chain may begin later, never earlier: at a link that is there, with all that was before it counted, none of it younger
-- than 30 days.
CREATE FUNCTION judge_audit_base() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone bigint := 0;
  cut record;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    IF TG_OP = 'DELETE' OR NEW.chat_id IS DISTINCT FROM OLD.chat_id THEN
      RAISE EXCEPTION 'where a chain of the audit begins is not taken back';
    END IF;
    gone := OLD.rows;
  END IF;
  IF NEW.chat_id IS NULL THEN
    SELECT count(*) AS rows, max(l.id) AS link_id, max(a.at) AS until, (array_agg(l.hash ORDER BY l.id DESC))[1] AS hash
      INTO cut FROM audit_link l JOIN audit a ON a.id = l.audit_id WHERE l.chat_id IS NULL AND l.id <= NEW.link_id;
  ELSE
    SELECT count(*) AS rows, max(l.id) AS link_id, max(a.at) AS until, (array_agg(l.hash ORDER BY l.id DESC))[1] AS hash
      INTO cut FROM audit_link l JOIN audit a ON a.id = l.audit_id WHERE l.chat_id = NEW.chat_id AND l.id <= NEW.link_id;
  END IF;
  IF cut.rows = 0 OR (NEW.rows, NEW.link_id, NEW.until, NEW.hash) IS DISTINCT FROM (gone + cut.rows, cut.link_id, cut.until, cut.hash)
    OR cut.until > now() - interval '30 days' THEN
    RAISE EXCEPTION 'the chain of the audit cannot begin there';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_base_judged BEFORE INSERT OR UPDATE OR DELETE ON "audit_base"
  FOR EACH ROW EXECUTE FUNCTION judge_audit_base();--> statement-breakpoint
-- A link goes when its chain begins after it, and loses its salt when something of its row is forgotten.
CREATE FUNCTION judge_audit_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM audit_base b WHERE b.chat_id IS NOT DISTINCT FROM OLD.chat_id AND b.link_id >= OLD.id) THEN
      RETURN OLD;
    END IF;
  ELSIF NEW.salt IS NULL AND NEW.forgotten_at IS NOT NULL
    AND (NEW.id, NEW.chat_id, NEW.audit_id, NEW.hash) IS NOT DISTINCT FROM (OLD.id, OLD.chat_id, OLD.audit_id, OLD.hash) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'audit rows are only ever added';
END $$;
--> statement-breakpoint
-- A row goes after its link, and its details change when the link says so.
CREATE FUNCTION judge_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM audit_base b WHERE b.chat_id IS NOT DISTINCT FROM OLD.chat_id AND b.until >= OLD.at)
      AND NOT EXISTS (SELECT FROM audit_link l WHERE l.audit_id = OLD.id) THEN
      RETURN OLD;
    END IF;
  ELSIF (NEW.id, NEW.chat_id, NEW.person_id, NEW.update_id, NEW.action, NEW.at)
      IS NOT DISTINCT FROM (OLD.id, OLD.chat_id, OLD.person_id, OLD.update_id, OLD.action, OLD.at)
    AND EXISTS (SELECT FROM audit_link l WHERE l.audit_id = OLD.id AND l.forgotten_at IS NOT NULL) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'audit rows are only ever added';
END $$;
--> statement-breakpoint
-- allowed: the two below refuse what it refused, but for a purge and a forgetting; the lock is held for moments
DROP TRIGGER "audit_append_only" ON "audit";--> statement-breakpoint
-- allowed: as above, the trigger below does the same
DROP TRIGGER "audit_link_append_only" ON "audit_link";--> statement-breakpoint
-- allowed: older programs only ever add
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON "audit" FOR EACH ROW EXECUTE FUNCTION judge_audit();--> statement-breakpoint
-- allowed: older programs only ever add
CREATE TRIGGER audit_link_append_only BEFORE UPDATE OR DELETE ON "audit_link" FOR EACH ROW EXECUTE FUNCTION judge_audit_link();--> statement-breakpoint
-- allowed: older programs only ever add
CREATE TRIGGER audit_never_emptied BEFORE TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();--> statement-breakpoint
-- allowed: older programs only ever add
CREATE TRIGGER audit_link_never_emptied BEFORE TRUNCATE ON "audit_link" FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
