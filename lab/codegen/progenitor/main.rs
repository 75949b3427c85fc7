//! The driver of the client that progenitor generates: it runs one task of `rollcall examine`.

mod rollcall {
    progenitor::generate_api!(spec = "openapi.yaml", interface = Builder);
}

use std::env;
use std::process::ExitCode;

use reqwest::header::{AUTHORIZATION, HeaderMap};
use rollcall::types::{AutomationStatus, ContactImportStatus, ContactPropertyList, Problem};

#[derive(Clone, Default)]
struct Query {
    limit: Option<u32>,
    after: Option<String>,
    before: Option<String>,
    status: Option<String>,
}

struct Page {
    has_more: bool,
    ids: Vec<String>,
}

/// An error as the driver prints it. Status 0: nothing was received, or the client does not tell.
#[derive(Debug)]
struct Failed(u16, String);

impl Failed {
    fn unreadable(status: u16) -> Self {
        Self(status, "unreadable".to_owned())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let variable = |name| env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let key = format!("Bearer {}", variable("ROLLCALL_API_KEY"));
    let headers = HeaderMap::from_iter([(AUTHORIZATION, key.parse().unwrap())]);
    let http = reqwest::Client::builder().default_headers(headers);
    let url = variable("ROLLCALL_BASE_URL");
    let client = rollcall::Client::new_with_client(&url, http.build().unwrap());
    match run(&client).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failed(status, name)) => {
            println!("error {status} {name}");
            ExitCode::from(10)
        }
    }
}

async fn run(client: &rollcall::Client) -> Result<(), Failed> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (task, what, options) = match arguments.as_slice() {
        [task, what, options @ ..] => (task.as_str(), what.as_str(), options),
        [task] => (task.as_str(), "", [].as_slice()),
        [] => ("", "", [].as_slice()),
    };
    match task {
        "list" => show(&list(client, what, query_of(options)).await?.ids),
        "list-all" => list_all(client, what, query_of(options)).await?,
        "get" => {
            let found = client.get_contact_import().id(what).send().await;
            println!("{}", json(&*found.map_err(failure_of)?));
        }
        // Not a task of `examine`.
        "fallback-values" => {
            for item in &properties(client, Query::default()).await?.data {
                println!("{}", json(&item.fallback_value));
            }
        }
        _ => println!("unsupported"),
    }
    Ok(())
}

/// Sets the parameters that all lists have, and sends.
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
/// Takes what a page has of all lists.
macro_rules! page {
    ($list:expr) => {{
        let list = $list;
        Page {
            has_more: list.has_more,
            ids: list.data.iter().map(|item| item.id.to_string()).collect(),
        }
    }};
}

async fn list(client: &rollcall::Client, what: &str, query: Query) -> Result<Page, Failed> {
    Ok(match what {
        "automations" => {
            let mut call = client.list_automations();
            if let Some(status) = &query.status {
                call = call.status(status.parse::<AutomationStatus>().unwrap());
            }
            page!(send!(call, query))
        }
        "contact-properties" => page!(properties(client, query).await?),
        "contact-imports" => {
            let mut call = client.list_contact_imports();
            if let Some(status) = &query.status {
                call = call.status(status.parse::<ContactImportStatus>().unwrap());
            }
            page!(send!(call, query))
        }
        _ => panic!("an unknown collection: {what}"),
    })
}

async fn properties(
    client: &rollcall::Client,
    query: Query,
) -> Result<ContactPropertyList, Failed> {
    Ok(send!(client.list_contact_properties(), query))
}

fn failure_of(error: rollcall::Error<Problem>) -> Failed {
    use rollcall::Error;
    match error {
        Error::ErrorResponse(it) if i32::from(it.status().as_u16()) == it.status_code => {
            Failed(it.status().as_u16(), it.name.to_string())
        }
        Error::ErrorResponse(it) => Failed::unreadable(it.status().as_u16()),
        Error::UnexpectedResponse(it) => Failed::unreadable(it.status().as_u16()),
        Error::InvalidResponsePayload(..) => Failed::unreadable(0),
        Error::CommunicationError(_) | Error::ResponseBodyError(_) => {
            Failed(0, "network".to_owned())
        }
        // Such as a parameter that the contract does not allow: nothing was sent.
        other => panic!("{other}"),
    }
}

fn query_of(options: &[String]) -> Query {
    let value = |name: &str| {
        let pair = options.chunks_exact(2).find(|pair| pair[0] == name);
        pair.map(|pair| pair[1].clone())
    };
    Query {
        limit: value("--limit").map(|limit| limit.parse().expect("a number")),
        after: value("--after"),
        before: value("--before"),
        status: value("--status"),
    }
}

async fn list_all(client: &rollcall::Client, what: &str, mut query: Query) -> Result<(), Failed> {
    loop {
        let page = list(client, what, query.clone()).await?;
        show(&page.ids);
        if !page.has_more {
            return Ok(());
        }
        let (cursor, next) = match query.before {
            Some(_) => (&mut query.before, page.ids.first()),
            None => (&mut query.after, page.ids.last()),
        };
        // A server that does not move on must not keep the program for ever.
        if next.is_none() || cursor.as_ref() == next {
            return Err(Failed::unreadable(200));
        }
        *cursor = next.cloned();
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

fn show(lines: &[String]) {
    for line in lines {
        println!("{line}");
    }
}
