import { ApiError, ConnectionError, isStatus } from '../cluster/api-error';
import type { Clock } from '../clock';
import type { Informer } from './informers';
import { errorText, nowAndThen, type Logger } from '../report/log';
import type { ReflectorListener, ReflectorState } from './reflector';

/** A list that fails so often in a row, over some seconds, is not one from while the API server started. */
const FAILED_FOR_GOOD = 5;
/** And so often, over three minutes or so, is an outage that somebody has to look at. */
const FAILED_FOR_LONG = 12;
/** A watch is cut now and then; only one that does not come back is worth a line. */
const FAILURES_WORTH_A_WORD = 4;
const FAILED = 'Could not list or watch, will retry';

const STATES: { readonly [state in ReflectorState]: string } = {
  starting: 'Waiting for cache to sync',
  synced: 'Cache synced',
  absent: 'Kind is not in the cluster, waiting for its CustomResourceDefinition',
};

/** Logs how a cache is kept: what an informer's listener does besides hearing of changes. */
export function informerReport(
  informer: Informer,
  log: Logger,
  clock: Clock,
): Pick<ReflectorListener, 'state' | 'failed'> {
  const { kind, labelSelector: selector } = informer;
  const place = { kind: kind.plural };
  const failedAgain = nowAndThen(log, clock);
  let logged: ReflectorState | undefined;
  return {
    state: (state) => {
      if (state !== logged) log.info(STATES[state], { ...place, selector });
      logged = state;
    },
    failed: (error, retryMs, failures) => {
      const known = error instanceof ConnectionError || error instanceof ApiError;
      if (!known) log.error('Program fault in a cache', error, place);
      else if (failures === FAILED_FOR_GOOD && (isStatus(error, 401) || isStatus(error, 403))) {
        log.error('Not allowed to list and watch', error, place);
      } else if (failures === FAILED_FOR_LONG && !isStatus(error, 404)) {
        // A kind that is not in the cluster is reported as a state.
        log.error('Lists and watches have failed for minutes', error, place);
      }
      const fields = { ...place, error: errorText(error), retryMs: Math.round(retryMs) };
      if (failures < FAILURES_WORTH_A_WORD) log.debug(FAILED, fields);
      else failedAgain(FAILED, fields);
    },
  };
}
