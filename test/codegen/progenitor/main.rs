//! The seven things, with the client that progenitor makes.

mod rollcall {
    progenitor::generate_api!(spec = "openapi.yaml", interface = Builder);
}

use std::collections::HashSet;
use std::{env, fs};

use reqwest::header::{AUTHORIZATION, HeaderMap};
use rollcall::Client;
use rollcall::types::{AutomationList, AutomationStatus, ContactImport, Problem, ProblemName};
use serde_json::Value;

type Answer<T> = Result<rollcall::ResponseValue<T>, rollcall::Error<Problem>>;

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expected {
    automations: usize,
    first_automation_id: String,
    enabled: usize,
    import_id: String,
    import_created: i32,
    fallback_values: Vec<Value>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let want: Expected =
        serde_json::from_str(&fs::read_to_string(variable("EXPECTED")).unwrap()).unwrap();
    let client = client_with(&variable("ROLLCALL_API_KEY"));

    let first = client.list_automations().send().await.unwrap().into_inner();
    assert_eq!(first.data[0].id.to_string(), want.first_automation_id);
    assert_eq!(walk(&client, None).await, want.automations);
    assert_eq!(
        walk(&client, Some(AutomationStatus::Enabled)).await,
        want.enabled
    );

    let found = look_up(&client, &want.import_id).await.unwrap();
    assert_eq!(found.counts.created, want.import_created);

    let properties = client.list_contact_properties().send().await.unwrap();
    let values = properties
        .data
        .iter()
        .map(|it| serde_json::to_value(&it.fallback_value).unwrap());
    assert_eq!(
        values.map(floating).collect::<Vec<_>>(),
        want.fallback_values
            .into_iter()
            .map(floating)
            .collect::<Vec<_>>()
    );

    let unknown = look_up(&client, "00000000-0000-4000-8000-000000000000").await;
    expect_problem(unknown, 404, ProblemName::NotFound);

    let refused = look_up(&client_with("wrong"), &want.import_id).await;
    expect_problem(refused, 401, ProblemName::InvalidApiKey);
}

/// To the contract, 7 and 7.0 are one number.
fn floating(value: Value) -> Value {
    value.as_f64().map_or(value, Value::from)
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

fn client_with(key: &str) -> Client {
    let headers = HeaderMap::from_iter([(AUTHORIZATION, format!("Bearer {key}").parse().unwrap())]);
    let http = reqwest::Client::builder()
        .default_headers(headers)
        .build()
        .unwrap();
    Client::new_with_client(&variable("ROLLCALL_URL"), http)
}

async fn walk(client: &Client, status: Option<AutomationStatus>) -> usize {
    let mut seen = HashSet::new();
    let mut after = None;
    loop {
        let mut call = client.list_automations().limit(100);
        if let Some(status) = status {
            call = call.status(status);
        }
        if let Some(id) = after {
            call = call.after(id);
        }
        let page: AutomationList = call.send().await.unwrap().into_inner();
        for it in &page.data {
            assert!(seen.insert(it.id.to_string()), "answered twice: {it:?}");
            assert!(
                status.is_none_or(|status| it.status == status),
                "not asked for: {it:?}"
            );
        }
        if !*page.has_more {
            return seen.len();
        }
        after = Some(
            page.data
                .last()
                .expect("a page with more after it has items")
                .id
                .to_string(),
        );
    }
}

async fn look_up(client: &Client, id: &str) -> Answer<ContactImport> {
    client.get_contact_import().id(id).send().await
}

fn expect_problem(answer: Answer<ContactImport>, status: u16, name: ProblemName) {
    let Err(rollcall::Error::ErrorResponse(response)) = answer else {
        panic!("not an error response, though {name} was to come: {answer:?}");
    };
    assert_eq!(response.status().as_u16(), status);
    assert_eq!(response.status_code, i32::from(status));
    assert_eq!(response.name, name);
}
