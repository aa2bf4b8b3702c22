import { Deadline } from './deadline';
import { Limiter } from './limiter';

test('a deadline that is brought forward ends the wait', async () => {
  const deadline = new Deadline(Date.now() + 60_000);
  const raced = deadline.race(new Promise(() => undefined));
  deadline.bring(Date.now() + 120_000);
  expect(deadline.secondsLeft).toBeLessThanOrEqual(60);
  deadline.bring(0);
  expect(await raced).toBe(false);
});

test('what settles in time ends the wait', async () => {
  expect(await new Deadline(Date.now() + 60_000).race(Promise.resolve())).toBe(true);
});

test('a deadline can leave a least time', () => {
  const deadline = new Deadline(Date.now() - 1000);
  deadline.leave(2);
  expect(deadline.secondsLeft).toBeCloseTo(2, 1);
});

test('no more than the most run at once, and all run', async () => {
  const limiter = new Limiter(2);
  let now = 0;
  let most = 0;
  const results = await Promise.all(
    Array.from({ length: 7 }, (_, index) =>
      limiter.run(async () => {
        most = Math.max(most, (now += 1));
        await new Promise((resolve) => setTimeout(resolve, 5));
        now -= 1;
        return index;
      }),
    ),
  );
  expect(results).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(most).toBe(2);
});
