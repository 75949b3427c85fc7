import { configureStore } from '@reduxjs/toolkit';
import type { FetchBaseQueryError } from '@reduxjs/toolkit/query';
import { api } from './api';
import { rollcall } from './generated/rollcall';
import { drive, Failed } from './driver';

/** What a call rejects with. @returns undefined for an error of another kind. */
function failureOf(error: unknown): Failed | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined;
  const failed = error as FetchBaseQueryError; // The only error with a status.
  if (failed.status === 'FETCH_ERROR') return new Failed(0, 'network');
  if (failed.status === 'PARSING_ERROR') return new Failed(failed.originalStatus, 'unreadable');
  return typeof failed.status === 'number' ? Failed.response(failed.status, failed.data) : undefined;
}

void drive(() => {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults().concat(api.middleware),
  });
  const { listAutomations, listContactProperties, listContactImports, getContactImport } = rollcall.endpoints;
  const once = { subscribe: false, forceRefetch: true } as const;
  return {
    automations: (query) => store.dispatch(listAutomations.initiate(query, once)).unwrap(),
    contactProperties: (query) => store.dispatch(listContactProperties.initiate(query, once)).unwrap(),
    contactImports: (query) => store.dispatch(listContactImports.initiate(query, once)).unwrap(),
    contactImport: (id) => store.dispatch(getContactImport.initiate({ id }, once)).unwrap(),
  };
}, failureOf);
