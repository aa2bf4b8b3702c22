/** A steady load on a Service, as its users make it. */
export { chat, type ChatOptions, type Outcome } from './chat';
export { describeLoad, type Load, type LoadReport, startLoad } from './load';
export { ServiceClient, type ServiceClientOptions } from './service-client';
