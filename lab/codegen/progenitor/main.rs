//! The client that progenitor makes, as a driver.

mod driver;
mod rollcall {
    progenitor::generate_api!(spec = "openapi.yaml", interface = Builder);
}

use std::process::ExitCode;

use driver::{Collection, Failed, Page, Query};
use reqwest::header::{AUTHORIZATION, HeaderMap};
use rollcall::types::{
    AutomationStatus, ContactImportStatus, ContactPropertyList, Problem, ProblemName,
};
use serde_json::Value;

// The compiler looks for them.
const _: [ProblemName; 2] = [ProblemName::NotFound, ProblemName::InvalidApiKey];

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    driver::drive(|url, key| {
        let headers =
            HeaderMap::from_iter([(AUTHORIZATION, format!("Bearer {key}").parse().unwrap())]);
        let http = reqwest::Client::builder()
            .default_headers(headers)
            .build()
            .unwrap();
        Client(rollcall::Client::new_with_client(&url, http))
    })
    .await
}

struct Client(rollcall::Client);

/// Sets the parameters that all lists have, sends, and takes what a page has of all lists.
macro_rules! page {
    ($call:expr, $query:expr) => {{
        let list = send!($call, $query);
        Page {
            has_more: *list.has_more,
            ids: list.data.iter().map(|it| it.id.to_string()).collect(),
        }
    }};
}
macro_rules! send {
    ($call:expr, $query:expr) => {{
        let mut call = $call;
        if let Some(limit) = $query.limit {
            call = call.limit(limit);
        }
        if let Some(after) = $query.after {
            call = call.after(after);
        }
        if let Some(before) = $query.before {
            call = call.before(before);
        }
        call.send().await.map_err(failure_of)?.into_inner()
    }};
}

impl driver::Client for Client {
    async fn list(&self, collection: Collection, query: Query) -> Result<Page, Failed> {
        Ok(match collection {
            Collection::Automations => {
                let mut call = self.0.list_automations();
                if let Some(status) = &query.status {
                    call = call.status(status.parse::<AutomationStatus>().unwrap());
                }
                page!(call, query)
            }
            Collection::ContactProperties => page!(self.0.list_contact_properties(), query),
            Collection::ContactImports => {
                let mut call = self.0.list_contact_imports();
                if let Some(status) = &query.status {
                    call = call.status(status.parse::<ContactImportStatus>().unwrap());
                }
                page!(call, query)
            }
        })
    }

    async fn contact_import(&self, id: &str) -> Result<Value, Failed> {
        let found = self.0.get_contact_import().id(id).send().await;
        Ok(serde_json::to_value(found.map_err(failure_of)?.into_inner()).unwrap())
    }

    async fn fallback_values(&self) -> Result<Vec<Value>, Failed> {
        let query = Query::default();
        let list: ContactPropertyList = send!(self.0.list_contact_properties(), query);
        let values = list
            .data
            .iter()
            .map(|it| serde_json::to_value(&it.fallback_value).unwrap());
        Ok(values.collect())
    }
}

fn failure_of(error: rollcall::Error<Problem>) -> Failed {
    match error {
        rollcall::Error::ErrorResponse(it) => {
            Failed::response(it.status().as_u16(), it.status_code, &it.name.to_string())
        }
        rollcall::Error::UnexpectedResponse(it) => {
            Failed::new(it.status().as_u16(), "unreadable")
        }
        rollcall::Error::InvalidResponsePayload(..) => Failed::new(0, "unreadable"),
        rollcall::Error::CommunicationError(_) | rollcall::Error::ResponseBodyError(_) => {
            Failed::network()
        }
        // Such as a parameter that the contract does not allow: nothing was sent.
        other => panic!("{other}"),
    }
}
