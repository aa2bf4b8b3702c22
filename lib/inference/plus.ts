import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';

/** A class that can stand for a Service: `Service` of cdk8s-plus, of any version. */
export type ServiceClass<S extends Construct> = new (scope: Construct, id: string, props: ServiceClassProps) => S;

/** What such a class is given. */
export interface ServiceClassProps {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly ports: { name: string; port: number }[];
}

/**
 * A Service of cdk8s-plus that stands for one that is rendered elsewhere: other constructs refer to it, it renders nothing.
 * Constructs that it creates, such as the Ingress of `exposeViaIngress`, render as ever.
 */
export function standInService<S extends Construct>(
  scope: Construct,
  id: string,
  Service: ServiceClass<S>,
  props: ServiceClassProps,
): S {
  const standIn = new Service(scope, id, props);
  for (const child of standIn.node.children) {
    if (ApiObject.isApiObject(child)) standIn.node.tryRemoveChild(child.node.id);
  }
  return standIn;
}
