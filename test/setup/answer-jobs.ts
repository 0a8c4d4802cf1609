/** A job, and its answer, as they are sent between processes. */
export interface Sent<Content> {
  readonly id: number;
  readonly content: Content;
}
export type Answered<Answer> = Sent<{ readonly answer: Answer } | { readonly error: string }>;

/** In a bundled program: carries out its jobs, until the parent lets go. */
export function answerJobs<Job, Answer>(work: (job: Job) => Promise<Answer>): void {
  const send = (answered: Answered<Answer>) => process.send!(answered);
  process.on('message', ({ id, content }: Sent<Job>) => {
    work(content).then(
      (answer) => send({ id, content: { answer } }),
      (error: unknown) => send({ id, content: { error: String(error) } }),
    );
  });
  // Requests of processes that were killed in a simulation have timers of their own.
  process.on('disconnect', () => process.exit(0));
}
