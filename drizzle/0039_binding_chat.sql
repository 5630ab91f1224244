-- allowed: an account or two for each chat; it is built at once.
CREATE INDEX "binding_chat" ON "binding" USING btree ("chat_id");
