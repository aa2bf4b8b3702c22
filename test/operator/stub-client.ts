import type { ChildKind, Manifest } from '../../lib/composition';
import { ApiError } from '../../operator/cluster/api-error';
import { KubeClient, type ApplyTarget } from '../../operator/cluster/kube';

/** A request that a {@link StubClient} was asked for. */
export interface Asked {
  readonly verb: 'apply' | 'get' | 'delete' | 'create' | 'patch';
  readonly kind: string;
  readonly name: string;
  readonly body?: unknown;
  readonly manager?: string;
  readonly target?: ApplyTarget;
}

/** What it answers; undefined for success with what was sent. */
export type Answers = (asked: Asked) => Manifest | ApiError | Error | undefined;

/** A client that sends nothing: writes down what it is asked for, and answers as a test says. */
export class StubClient extends KubeClient {
  readonly asked: Asked[] = [];

  constructor(private readonly answers: Answers = () => undefined) {
    super(undefined as never);
  }

  override async apply(
    kind: ChildKind,
    manifest: Manifest,
    target: ApplyTarget,
    options: { readonly fieldManager: string },
  ): Promise<Manifest> {
    const { name } = manifest.metadata;
    const asked: Asked = {
      verb: 'apply',
      kind: kind.kind,
      name,
      body: manifest,
      manager: options.fieldManager,
      target,
    };
    const uid = 'uid' in target ? target.uid : `made-${kind.kind}`;
    return this.#answer(asked, { ...manifest, metadata: { ...manifest.metadata, uid, resourceVersion: '100' } });
  }

  override async get(kind: ChildKind, _namespace: string | undefined, name: string): Promise<Manifest> {
    return this.#answer({ verb: 'get', kind: kind.kind, name }, undefined);
  }

  override async delete(kind: ChildKind, _namespace: string | undefined, name: string, uid: string) {
    const answer = this.#answer(
      { verb: 'delete', kind: kind.kind, name, target: { uid } },
      { ...kind, metadata: { name } },
    );
    return answer.metadata.deletionTimestamp === undefined ? undefined : answer;
  }

  override async create(kind: ChildKind, manifest: Manifest): Promise<Manifest> {
    return this.#answer({ verb: 'create', kind: kind.kind, name: manifest.metadata.name, body: manifest }, manifest);
  }

  override async patch(
    kind: ChildKind,
    _namespace: string | undefined,
    name: string,
    body: readonly object[],
  ): Promise<Manifest> {
    return this.#answer({ verb: 'patch', kind: kind.kind, name, body }, { ...kind, metadata: { name } });
  }

  #answer(asked: Asked, success: Manifest | undefined): Manifest {
    this.asked.push(asked);
    const answer = this.answers(asked) ?? success;
    if (answer instanceof Error) throw answer;
    if (answer === undefined) throw refusal(404, 'not found');
    return answer;
  }
}

export function refusal(status: number, message: string, details: object = {}): ApiError {
  return new ApiError('PATCH /x', status, { message, details }, 0);
}
