import { ForgetfulMap } from '../forgetful-map';
import type { RE2JS } from '../../vendor/re2';

const compiled = new ForgetfulMap<string, RE2JS>(1000);

/**
 * The expression as Go reads it, which matches in a time that grows with the text and no faster: a pattern comes from somebody's
 * CRD and a text from somebody's resource, and neither may keep a process busy.
 *
 * @throws Error if Go would not take the pattern.
 */
export function goRegExp(pattern: string): Pick<RE2JS, 'test' | 'matcher'> {
  let found = compiled.get(pattern);
  if (found === undefined) {
    // Loaded with the first pattern: that takes longer than most validations.
    // oxlint-disable-next-line typescript/no-require-imports, typescript/no-unsafe-type-assertion
    const { RE2JS } = require('../../vendor/re2') as typeof import('../../vendor/re2');
    found = RE2JS.compile(pattern);
    compiled.set(pattern, found);
  }
  return found;
}

/** What Go finds in a text, one behind the other; at most `limit` of it unless that is negative. */
export function findAll(pattern: string, text: string, limit: number): readonly string[] {
  const matcher = goRegExp(pattern).matcher(text);
  const found: string[] = [];
  for (let end = -1; found.length !== limit && matcher.find(); end = matcher.end())
    // To Go, there is no empty match right behind another one.
    if (matcher.start() !== end || matcher.end() !== end) found.push(matcher.group() ?? '');
  return found;
}
