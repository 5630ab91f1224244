/**
 * For `node --import`: a process whose clock of the day is wrong. `CLOCK_STEPS` has milliseconds from the right time; each
 * SIGUSR2 goes on to the next. What counts from a start (`performance.now`, timers) is as ever.
 */
const steps = (process.env['CLOCK_STEPS'] ?? '').split(',').map(Number);
const Real = Date;
let aheadMs = 0;

process.on('SIGUSR2', () => {
  aheadMs = steps.shift() ?? 0;
  process.stdout.write(`{"msg":"the clock is ${aheadMs} ms ahead now"}\n`);
});

globalThis.Date = new Proxy(Real, {
  construct: (target, given: unknown[], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [Real.now() + aheadMs] : given, newTarget) as object,
  apply: () => new Real(Real.now() + aheadMs).toString(),
  get: (target, name): unknown => (name === 'now' ? () => Real.now() + aheadMs : Reflect.get(target, name)),
});
