import { isJsonComplaint, isKlogComplaint } from './clean-logs';

test.each([
  ['E1130 14:43:09.123456   12 controller.go:10] "Unhandled Error"', true],
  ['W1130 14:43:09.123456   12 warnings.go:70] v1 Endpoints is deprecated', true],
  ['F1130 14:43:09.123456   12 main.go:1] no', true],
  ['panic: runtime error: index out of range', true],
  ['I1130 14:43:09.123456   12 event.go:377] "Event occurred" type="Warning"', false],
  ['  a line of a longer message', false],
])('%s of a component is a complaint: %s', (line, expected) => {
  expect(isKlogComplaint(line)).toBe(expected);
});

test.each([
  ['{"level":"info","msg":"Started"}', false],
  ['{"level":"debug","msg":"Applied"}', false],
  ['{"level":"error","msg":"Failed"}', true],
  ['{"msg":"no level"}', true],
  ['(node:1) Warning: something', true],
])('%s of the operator is a complaint: %s', (line, expected) => {
  expect(isJsonComplaint(line)).toBe(expected);
});
