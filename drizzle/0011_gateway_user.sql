ALTER TABLE "binding" ADD COLUMN "gateway_user" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "binding" ADD COLUMN "user_marks" text[];--> statement-breakpoint
-- allowed: bindings are few, older programs do not read the column, and what they hold of a row is waited for
DO $$ BEGIN LOOP
  UPDATE "binding" AS b SET "gateway_user" = least_one.gateway_user
  FROM (
    SELECT n.id, (array_agg(f.gateway_user ORDER BY f.gateway_user))[1] AS gateway_user
    FROM (SELECT id, unnest(prints || (chat_id::text || ' ' || account_name)) AS name FROM "binding") AS n
    JOIN (
      SELECT name, (array_agg(gateway_user ORDER BY gateway_user))[1] AS gateway_user
      FROM (SELECT gateway_user, unnest(prints || (chat_id::text || ' ' || account_name)) AS name FROM "binding") AS named
      GROUP BY name
    ) AS f USING (name)
    GROUP BY n.id
  ) AS least_one
  WHERE b.id = least_one.id AND least_one.gateway_user < b.gateway_user;
  EXIT WHEN NOT FOUND;
END LOOP; END $$;
