import axios, { isAxiosError } from 'axios';
import { ZodError } from 'zod';
import { getContactImport, listAutomations, listContactImports, listContactProperties } from './generated';
import { drive, Failed } from './driver';

/** What axios rejects with, and the generated schemas throw for a body that is not of the contract. */
function failureOf(error: unknown): Failed | undefined {
  if (error instanceof ZodError) return new Failed(0, 'unreadable');
  if (!isAxiosError(error)) return undefined;
  const { response } = error;
  return response === undefined ? new Failed(0, 'network') : Failed.response(response.status, response.data);
}

void drive((baseURL, key) => {
  const config = { baseURL, headers: { Authorization: `Bearer ${key}` } };
  return {
    automations: (query) => listAutomations(query, undefined, config),
    contactProperties: (query) => listContactProperties(query, undefined, config),
    contactImports: (query) => listContactImports(query, undefined, config),
    contactImport: (id) => getContactImport(id, undefined, config),
  };
}, failureOf);
