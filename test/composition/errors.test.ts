import { InvalidResourceError } from '../../lib/composition';

/** The class of another copy of the package, as a composition in a project of its own brings along. */
function otherCopy(): typeof InvalidResourceError {
  let copy = InvalidResourceError;
  jest.isolateModules(() => {
    copy = (require('../../lib/composition/errors') as typeof import('../../lib/composition/errors'))
      .InvalidResourceError;
  });
  return copy;
}

class Special extends InvalidResourceError {}

test('a refusal by another copy of the package is one too', () => {
  const other = otherCopy();
  expect(other).not.toBe(InvalidResourceError);
  expect(other.at('spec.a', 'is odd')).toBeInstanceOf(InvalidResourceError);
  expect(new Error('spec.a is odd')).not.toBeInstanceOf(InvalidResourceError);
});

test('a class that extends it takes only its own for its instances', () => {
  const special = new Special([{ path: 'spec.a', message: 'is odd' }]);
  expect(special).toBeInstanceOf(Special);
  expect(special).toBeInstanceOf(InvalidResourceError);
  expect(InvalidResourceError.at('spec.a', 'is odd')).not.toBeInstanceOf(Special);
});
