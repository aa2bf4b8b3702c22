import { poll } from '../poll';
import { image, Owner, type TestContainer } from '../node/runtime/testing/owner';
import { infernoImage } from './inferno';

jest.setTimeout(60_000);

let owner: Owner;

beforeAll(async () => {
  owner = await Owner.start();
});

afterAll(async () => {
  // Undefined where it did not start.
  await owner?.stop();
});

async function start(name: string): Promise<TestContainer> {
  const { entrypoint, env } = image(name);
  const networkNamespace = `/proc/${await owner.network()}/ns/net`;
  const container = await owner.container({
    image: image(name),
    command: entrypoint,
    env: env ?? {},
    networkNamespace,
  });
  await poll('the server to listen', async () => container.output().includes('listening'), { seconds: 10 });
  return container;
}

function ask(container: TestContainer, path: string) {
  const script = `fetch("http://127.0.0.1:8000${path}").then(async (r) => console.log(r.status, await r.text()))`;
  return container.exec([process.execPath, '-e', script]);
}

async function end(container: TestContainer): Promise<number> {
  await container.signal('SIGKILL');
  return (await container.exited()).exitCode;
}

test("this project's own image runs as its user, from its own files", async () => {
  const inferno = await infernoImage();
  expect(inferno).toMatchObject({
    entrypoint: ['/nodejs/bin/node', '/app/inferno.cjs'],
    user: 65_532,
    workingDir: '/app',
  });
  const container = await owner.container({
    image: inferno,
    command: [...inferno.entrypoint, 'crd'],
    env: inferno.env ?? {},
    workingDir: inferno.workingDir ?? '/',
  });
  expect(await container.exited()).toEqual({ exitCode: 0 });
  expect(container.output()).toContain('kind: CustomResourceDefinition');
  const tell = 'console.log(process.version, os.userInfo().username, os.homedir(), fs.readdirSync("/").join())';
  const asked = await owner.container({ image: inferno, command: ['/nodejs/bin/node', '-e', tell] });
  await asked.exited();
  const user = (await owner.takesUsers()) ? 'nonroot /home/nonroot' : 'root /root';
  expect(asked.output()).toMatch(
    new RegExp(`^${process.version} ${user} app,dev,etc,home,lib,.*nodejs,proc,root,tmp,usr\\n$`),
  );
  expect((await infernoImage()).root).toBe(inferno.root);
});

test('crash says a line and ends with 3', async () => {
  const { entrypoint } = image('crash');
  const container = await owner.container({ image: image('crash'), command: entrypoint });
  expect(await container.exited()).toEqual({ exitCode: 3 });
  expect(container.output()).toBe('a configured crash\n');
});

test('never-ready answers 503 to all who ask for its health', async () => {
  const container = await start('never-ready');
  expect(await ask(container, '/health')).toEqual({ exitCode: 0, output: '503 the model is not loaded\n\n' });
  await container.signal('SIGTERM');
  expect(await container.exited()).toEqual({ exitCode: 0 });
});

test('ignores-sigterm answers on after SIGTERM', async () => {
  const container = await start('ignores-sigterm');
  await container.signal('SIGTERM');
  await poll('SIGTERM to arrive', async () => container.output().includes('SIGTERM ignored'), { seconds: 5 });
  expect(await ask(container, '/health')).toEqual({ exitCode: 0, output: '200 \n' });
  expect(await end(container)).toBe(137);
});
