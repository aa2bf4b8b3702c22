/**
 * The operator for a program of one's own.
 *
 * @module cdk8s-inferno/operator
 */
export { connect, type Connection, type ConnectionOptions } from './cluster/connection';
export { jsonLogger, LOG_LEVELS, type Logger, type LogFields, type LogLevel } from './report/log';
export { runOperator, type RunOperatorOptions, type OperatorIo } from './main';
export { LeadershipLostError, Operator, type OperatorOptions } from './operator';
