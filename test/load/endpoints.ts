/** Where a connection of a Service can go. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** A `discovery.k8s.io/v1` EndpointSlice, as far as a client of the Service looks at it. */
export interface EndpointSlice {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string };
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
  readonly endpoints?:
    | readonly {
        readonly addresses: readonly string[];
        readonly conditions?: {
          readonly ready?: boolean;
          readonly serving?: boolean;
          readonly terminating?: boolean;
        };
      }[]
    | null;
}

/**
 * The endpoints that kube-proxy would send new connections to: the ready ones or, where there are none, those that are
 * about to end and still serve.
 */
export function usableEndpoints(slices: Iterable<EndpointSlice>, portName = 'http'): readonly Endpoint[] {
  const all = [...slices].flatMap(({ ports, endpoints }) => {
    const port = ports?.find(({ name }) => name === portName)?.port;
    return port === undefined ? [] : (endpoints ?? []).map((endpoint) => ({ ...endpoint, port }));
  });
  const ready = all.filter(({ conditions }) => conditions?.ready !== false);
  const ending = all.filter(({ conditions }) => conditions?.terminating === true && conditions.serving === true);
  return (ready.length > 0 ? ready : ending).flatMap(({ addresses: [address], port }) =>
    address === undefined ? [] : [{ address, port }],
  );
}
