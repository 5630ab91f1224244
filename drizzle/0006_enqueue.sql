-- The queue's own add_job does nothing, and says nothing, when somebody takes the waiting job of the same key while it
-- runs: what was asked for is lost. Asked again, it sees the job taken and makes a new one.
-- how: 'replace' a waiting job's time, 'keep' it, or take the 'earliest' of both.
CREATE FUNCTION enqueue_job(task text, payload json, job_key text, due timestamptz, how text DEFAULT 'replace', queue text DEFAULT null)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  mode constant text := CASE how WHEN 'replace' THEN 'replace' ELSE 'preserve_run_at' END;
  made record;
BEGIN
  FOR tries IN 1..100 LOOP
    SELECT j.id, j.run_at INTO made FROM graphile_worker.add_job(
      enqueue_job.task, enqueue_job.payload, queue_name := enqueue_job.queue, run_at := enqueue_job.due,
      job_key := enqueue_job.job_key, job_key_mode := mode) AS j;
    CONTINUE WHEN made.id IS NULL;
    -- Nobody can take or move it in between: this transaction holds its row.
    IF how = 'earliest' AND made.run_at > due THEN
      PERFORM graphile_worker.add_job(
        enqueue_job.task, enqueue_job.payload, queue_name := enqueue_job.queue, run_at := enqueue_job.due,
        job_key := enqueue_job.job_key);
    END IF;
    RETURN made.id;
  END LOOP;
  RAISE EXCEPTION 'a job of the queue could not be asked for';
END
$$;
