import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '../../poll';
import { image, Owner, type TestContainer } from './testing/owner';

jest.setTimeout(60_000);

let owner: Owner;

beforeAll(async () => {
  owner = await Owner.start();
});

afterAll(async () => {
  // Undefined where it did not start.
  await owner?.stop();
});

/** A container whose program is Node with a script. */
function node(script: string, request: Partial<Parameters<Owner['container']>[0]> = {}): Promise<TestContainer> {
  return owner.container({ command: [process.execPath, '-e', script], ...request });
}

function says(container: TestContainer, text: string): Promise<true> {
  return poll(`the container to say ${text}`, async () => container.output().includes(text), { seconds: 10 });
}

describe('the program', () => {
  test('is process 1: without a handler SIGTERM does nothing to it, and SIGKILL ends it', async () => {
    const container = await node('console.log(`pid ${process.pid}`); setInterval(() => {}, 1000)');
    await says(container, 'pid 1\n');
    await container.signal('SIGTERM');
    await sleep(300);
    expect(container.runs()).toBe(true);
    await container.signal('SIGKILL');
    expect(await container.exited()).toEqual({ exitCode: 137, signal: 9 });
  });

  test('hears SIGTERM when it listens, and its own exit code counts', async () => {
    const container = await node(
      'process.on("SIGTERM", () => process.exit(42)); console.log("up"); setInterval(() => {}, 1000)',
    );
    await says(container, 'up');
    await container.signal('SIGTERM');
    expect(await container.exited()).toEqual({ exitCode: 42 });
  });

  test.each([0, 3, 255])('ends with exit code %d', async (code) => {
    expect(await owner.shell(`exit ${code}`)).toEqual({ exitCode: code, output: '' });
  });

  test('is frozen by SIGSTOP and goes on after SIGCONT', async () => {
    const container = await node('console.log("up"); setInterval(() => {}, 20)');
    await says(container, 'up');
    const state = (): string => readFileSync(`/proc/${container.pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? '';
    await container.signal('SIGSTOP');
    await poll('the program to be stopped', async () => state() === 'T', { seconds: 5 });
    await container.signal('SIGCONT');
    await poll('the program to go on', async () => state() !== 'T', { seconds: 5 });
    await container.signal('SIGKILL');
    await container.exited();
  });

  test('has only the given environment, with any characters in it', async () => {
    const env = {
      TEXT: 'two\nlines, "quotes", \'more\', $(HOME) $HOME \\ ü',
      EMPTY: '',
      PATH: '/bin',
      HOME: '/',
      'a.b-c': '=x=',
    };
    const container = await node('console.log(JSON.stringify(process.env))', { env });
    await container.exited();
    expect(JSON.parse(container.output())).toEqual(env);
  });

  test('has a PATH and a HOME where it is given none', async () => {
    const { output } = await owner.shell('echo "$HOME $PATH"');
    expect(output).toMatch(/^(\/|\/root) \/usr\/local\/sbin:\/usr\/local\/bin:.*:\/bin\n$/);
  });

  test('gets its arguments as they are', async () => {
    const words = ['a b', "it's", '"', '$(x)', '`x`', '\n', '', '--', '-c'];
    const container = await owner.container({
      command: [process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...words],
    });
    await container.exited();
    expect(JSON.parse(container.output())).toEqual(words);
  });

  test('sees itself and its files, and nothing of the machine', async () => {
    const { output } = await owner.shell(
      'cat /proc/sys/kernel/hostname; echo $(ls -d /proc/[0-9]*); ls /proc/$$/fd; ls -d /sys /var /etc/passwd 2>/dev/null; cat /etc/hosts',
      { hostname: 'chat-5d8f' },
    );
    // The last is ls itself.
    expect(output).toMatch(
      /^chat-5d8f\n\/proc\/1 \/proc\/\d+\n0\n1\n2\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n10.244.1.1\tchat-5d8f\n$/,
    );
  });

  test('has its termination message read, of which the last 4096 bytes count', async () => {
    const short = await owner.shell('printf "no model at that URI" >/dev/termination-log; exit 1');
    expect(short).toEqual({ exitCode: 1, message: 'no model at that URI', output: '' });
    const { message } = await owner.shell('printf "x%.0s" $(seq 5000) >/tmp/why; printf end >>/tmp/why', {
      terminationMessagePath: '/tmp/why',
    });
    expect(message).toMatch(/^x{4093}end$/);
  });

  test.each([
    ['/no/such/program', /"\/no\/such\/program".*no such file or directory/],
    ['no-such-program', /"no-such-program": executable file not found in \$PATH/],
    ['/etc/hosts', /"\/etc\/hosts": permission denied/],
  ])('is named when it cannot be executed: %s', async (program, message) => {
    await expect(owner.container({ command: [program] })).rejects.toThrow(message);
    await expect(owner.container({ command: [program] })).rejects.toMatchObject({ name: 'StartError' });
  });
});

describe('the root', () => {
  test('cannot be written when it is read-only', async () => {
    const { exitCode, output } = await owner.shell('touch /file; mkdir /etc/folder; echo x >/etc/hosts', {
      uid: 0,
      gid: 0,
    });
    expect(exitCode).not.toBe(0);
    expect(output.match(/Read-only file system/g)).toHaveLength(3);
  });

  test('can be written when it is not read-only, and the image stays as it is', async () => {
    const { output } = await owner.shell('echo written >/file && cat /file', { readOnlyRoot: false, uid: 0, gid: 0 });
    expect(output).toBe('written\n');
    expect(existsSync(join(image('shell').root, 'file'))).toBe(false);
    expect((await owner.shell('ls /file')).exitCode).not.toBe(0);
  });

  test('has its own mounts, those of the image, and none of the machine', async () => {
    const { output } = await owner.shell('cut -d" " -f2 /proc/self/mounts');
    const own = ['/', '/proc', '/proc/sys', '/dev', '/dev/shm', '/dev/termination-log'];
    const devices = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);
    expect(output.trim().split('\n').toSorted()).toEqual(
      [...own, ...devices, ...(image('shell').host ?? [])].toSorted(),
    );
  });

  test('has the working directory, even where the image has none', async () => {
    expect((await owner.shell('pwd', { workingDir: '/srv/models' })).output).toBe('/srv/models\n');
  });
});

describe('the user', () => {
  test('is the one of the request, where this machine lets it be', async () => {
    const { output } = await owner.shell('id -u; id -g; id -G', { uid: 65_532, gid: 1234, groups: [2000, 3000] });
    expect(output).toBe((await owner.takesUsers()) ? '65532\n1234\n1234 2000 3000\n' : '0\n0\n0\n');
  });

  test('has no privileges left, and can get none', async () => {
    for (const uid of [0, 65_532]) {
      const { output } = await owner.shell('grep -E "^(Cap|NoNewPrivs)" /proc/self/status', { uid, gid: uid });
      expect(output.match(/^Cap\w+:\t0{16}$/gm)).toHaveLength(5);
      expect(output).toContain('NoNewPrivs:\t1');
    }
  });

  test('as root keeps the capabilities that runtimes leave, when none are dropped', async () => {
    const { output } = await owner.shell('grep -E "^(CapEff|NoNewPrivs)" /proc/self/status', {
      uid: 0,
      gid: 0,
      capabilitiesDropped: false,
      noNewPrivileges: false,
    });
    expect(output).toBe('CapEff:\t00000000a80425fb\nNoNewPrivs:\t0\n');
  });
});

describe('volumes', () => {
  test('are mounted, what lies higher first, and read-only where asked', async () => {
    const outer = owner.makeFolder('outer');
    const inner = owner.makeFolder('inner');
    writeFileSync(join(outer, 'a'), 'outer');
    writeFileSync(join(inner, 'b'), 'inner');
    mkdirSync(join(outer, 'deep'));
    const { output } = await owner.shell(
      'cat /data/a /data/deep/b; echo x >/data/a; echo x >/data/deep/c && cat /data/deep/c',
      {
        uid: 0,
        gid: 0,
        mounts: [
          { source: inner, path: '/data/deep', readOnly: false },
          { source: outer, path: '/data', readOnly: true },
        ],
      },
    );
    expect(output).toMatch(/^outerinner.*Read-only file system\nx\n$/);
  });

  test('can be mounted in part, which is made where it is missing', async () => {
    const source = owner.makeFolder('parts');
    mkdirSync(join(source, 'one'));
    writeFileSync(join(source, 'one', 'file'), 'in one');
    symlinkSync('one/file', join(source, 'link'));
    const { output } = await owner.shell('cat /one/file /file; ls /new', {
      mounts: [
        { source, path: '/one', subPath: 'one', readOnly: true },
        { source, path: '/file', subPath: 'link', readOnly: true },
        { source, path: '/new', subPath: 'x/y', readOnly: false },
      ],
    });
    expect(output).toBe('in onein one');
    expect(existsSync(join(source, 'x', 'y'))).toBe(true);
  });

  test.each([
    ['a link to elsewhere', '/etc'],
    ['a link upwards', '../..'],
  ])('are not left by %s in a subPath', async (_, target) => {
    const source = owner.makeFolder(`trap-${target.length}`);
    symlinkSync(target, join(source, 'trap'));
    const mounts = [{ source, path: '/data', subPath: 'trap/inner', readOnly: false }];
    await expect(owner.container({ command: ['/bin/sh'], mounts })).rejects.toThrow('leads out of the volume');
  });

  test('may take the place of /dev/shm, which has 64 MiB else', async () => {
    const source = owner.makeFolder('shm');
    expect((await owner.shell('df -k /dev/shm | tail -1')).output).toContain(' 65536 ');
    await owner.shell('echo shared >/dev/shm/file', {
      uid: 0,
      gid: 0,
      mounts: [{ source, path: '/dev/shm', readOnly: false }],
    });
    expect(readFileSync(join(source, 'file'), 'utf8')).toBe('shared\n');
  });
});

test('two pods can listen at the same port, and the containers of one reach each other', async () => {
  const script = 'require("http").createServer((_, r) => r.end(process.env.POD)).listen(8000, () => console.log("up"))';
  const holders = [await owner.network(), await owner.network()];
  for (const [index, holder] of holders.entries()) {
    const networkNamespace = `/proc/${holder}/ns/net`;
    const server = await node(script, { networkNamespace, env: { POD: `pod ${index}` } });
    await says(server, 'up');
    const client = await node('fetch("http://127.0.0.1:8000").then((r) => r.text()).then(console.log)', {
      networkNamespace,
    });
    await client.exited();
    expect(client.output()).toBe(`pod ${index}\n`);
    // The holder is not needed any more.
    await owner.kill(holder, 'SIGKILL');
    await sleep(100);
    expect(server.runs()).toBe(true);
    await server.signal('SIGKILL');
    await server.exited();
  }
});

describe('a command inside', () => {
  let container: TestContainer;

  beforeAll(async () => {
    const source = owner.makeFolder('exec');
    writeFileSync(join(source, 'file'), 'of the volume');
    const mounts = [{ source, path: '/data', readOnly: true }];
    container = await node('console.log("up"); setInterval(() => {}, 1000)', {
      env: { NAME: 'a "b"\nc' },
      workingDir: '/data',
      mounts,
    });
    await says(container, 'up');
  });

  afterAll(async () => {
    await container.signal('SIGKILL');
    await container.exited();
  });

  test('has the environment, the user, the files and the processes of the container', async () => {
    const answer = await container.exec([
      '/bin/sh',
      '-c',
      'echo "$NAME"; id -u; cat file; touch /x; grep NoNew /proc/self/status; ls -d /proc/1',
    ]);
    const uid = (await owner.takesUsers()) ? 65_532 : 0;
    expect(answer).toEqual({
      exitCode: 0,
      output: `a "b"\nc\n${uid}\nof the volumetouch: cannot touch '/x': Read-only file system\nNoNewPrivs:\t1\n/proc/1\n`,
    });
  });

  test('ends with its own exit code', async () => {
    expect(await container.exec(['/bin/sh', '-c', 'echo no >&2; exit 9'])).toEqual({ exitCode: 9, output: 'no\n' });
  });

  test('is killed when its time is over', async () => {
    const started = Date.now();
    expect(await container.exec(['/bin/sleep', '20'], 0.3)).toBe('timeout');
    expect(Date.now() - started).toBeLessThan(5000);
    expect(await container.exec(['/bin/sh', '-c', 'grep -l sleep /proc/[0-9]*/comm || echo none'])).toMatchObject({
      output: 'none\n',
    });
  });

  test('does not wait for what it leaves running', async () => {
    const started = Date.now();
    expect(await container.exec(['/bin/sh', '-c', 'sleep 20 & echo left'])).toEqual({ exitCode: 0, output: 'left\n' });
    expect(Date.now() - started).toBeLessThan(5000);
  });

  test('is refused when there is no such program', async () => {
    await expect(container.exec(['no-such-program'])).rejects.toThrow('executable file not found in $PATH');
  });
});

test('fifty containers start, and stop at once', async () => {
  const command = ['/bin/sh', '-c', 'trap "exit 0" TERM; echo up; while :; do sleep 0.1; done'];
  const containers = await Promise.all(Array.from({ length: 50 }, () => owner.container({ command })));
  await Promise.all(containers.map((container) => says(container, 'up')));
  const started = Date.now();
  await Promise.all(containers.map((container) => container.signal('SIGTERM')));
  const exits = await Promise.all(containers.map((container) => container.exited()));
  expect(exits).toEqual(containers.map(() => ({ exitCode: 0 })));
  expect(Date.now() - started).toBeLessThan(10_000);
});

test('starting a container costs less than 60 ms of CPU', async () => {
  const before = owner.childrenCpu();
  for (let count = 0; count < 20; count += 1) await owner.shell('exit 0');
  expect((owner.childrenCpu() - before) / 20).toBeLessThan(60);
});
