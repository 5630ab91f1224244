-- allowed: an account or two for each chat; it is built at once.
CREATE INDEX "binding_user" ON "binding" USING btree ("gateway_user");