/** What axios rejects with, for the clients that use it. */
import { isAxiosError } from 'axios';
import { Failed } from './driver';

/** @returns what an error of axios says; undefined for an error of another kind. */
export function axiosFailed(error: unknown): Failed | undefined {
  if (!isAxiosError(error)) return undefined;
  const { response } = error;
  return response === undefined ? new Failed(0, 'network') : Failed.response(response.status, response.data);
}
