/**
 * Runs a job and prints what it took. Milliseconds are the lesser of wall time and CPU time: on an idle machine that is
 * the wall time (the garbage collector's threads make the CPU time longer), and on a busy one what the others took of the
 * processor does not count.
 */
export function measured(job) {
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const started = performance.now();
  const output = job();
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  const milliseconds = Math.min(wall, (user + system) / 1000);
  const rssMb = process.memoryUsage().rss / 1e6;
  process.stdout.write(JSON.stringify({ milliseconds, wall, rssMb, ...output }));
}
