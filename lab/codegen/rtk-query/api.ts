import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';

/** What the generated endpoints are added to. */
export const api = createApi({
  baseQuery: fetchBaseQuery({
    baseUrl: process.env['ROLLCALL_BASE_URL'] ?? '',
    prepareHeaders: (headers) => {
      headers.set('Authorization', `Bearer ${process.env['ROLLCALL_API_KEY'] ?? ''}`);
    },
  }),
  keepUnusedDataFor: 0, // A timer of a minute, the default, would keep the program from ending.
  endpoints: () => ({}),
});
