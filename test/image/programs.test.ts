import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'build/bin';
const programs = readdirSync(FOLDER).filter((file) => file.endsWith('.cjs'));
const textOf = (file: string): string => readFileSync(`${FOLDER}/${file}`, 'utf8');

test('programs hold no character beyond Latin-1, or V8 would keep two bytes for each of theirs as long as they run', () => {
  expect(programs).toContain('operator.cjs');
  const wide = programs.flatMap((file) => {
    const text = textOf(file);
    return [...text.matchAll(/[^\0-\xff]/gu)].map(({ index }) => `${file}: ${text.slice(index - 40, index + 40)}`);
  });
  expect(wide).toEqual([]);
});

test("the operator comes without the Kubernetes client's models, which take more memory than all its own code", () => {
  for (const file of [...programs.map((name) => `${FOLDER}/${name}`), 'build/operator/index.js']) {
    expect([file, readFileSync(file, 'utf8').includes('attributeTypeMap')]).toEqual([file, false]);
  }
});
