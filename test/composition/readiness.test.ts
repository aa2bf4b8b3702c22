import { readinessOf } from '../../lib/composition/readiness';
import { readinessCases } from '../health/readiness';

// That kstatus agrees is asked of kstatus, in the integration tests.
test.each(readinessCases)('$what: ready is $ready', ({ object, ready }) => {
  const readiness = readinessOf(object);
  expect(readiness.ready).toBe(ready);
  if (!readiness.ready) expect(readiness.message).toMatch(/./);
});
