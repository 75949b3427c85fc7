//! The driver of a generated client: it runs one task of `rollcall examine`. A row's main.rs says how, with its generated code.

use std::env;
use std::process::ExitCode;

use serde_json::Value;

#[derive(Clone, Copy)]
pub enum Collection {
    Automations,
    ContactProperties,
    ContactImports,
}

#[derive(Clone, Default)]
pub struct Query {
    pub limit: Option<u32>,
    pub after: Option<String>,
    pub before: Option<String>,
    pub status: Option<String>,
}

pub struct Page {
    pub has_more: bool,
    pub ids: Vec<String>,
}

/// An error as the driver prints it. Status 0: nothing was received, or the client does not tell.
#[derive(Debug)]
pub struct Failed {
    pub status: u16,
    pub name: String,
}

impl Failed {
    pub fn new(status: u16, name: &str) -> Self {
        let name = name.to_owned();
        Self { status, name }
    }

    /// An error response has the name of its body, if the status in its body is that of the response.
    pub fn response(status: u16, status_in_body: i32, name: &str) -> Self {
        let is_its_own = status_in_body == i32::from(status);
        Self::new(status, if is_its_own { name } else { "unreadable" })
    }

    /// What an error of reqwest means: it sends, and reads bodies; it does not parse them.
    pub fn network() -> Self {
        Self::new(0, "network")
    }
}

pub trait Client {
    async fn list(&self, collection: Collection, query: Query) -> Result<Page, Failed>;
    /// The generated model, as JSON.
    async fn contact_import(&self, id: &str) -> Result<Value, Failed>;
    /// Those of a page of contact properties: the one value of the contract that has several types.
    async fn fallback_values(&self) -> Result<Vec<Value>, Failed>;
}

/// Runs the task of the command line.
pub async fn drive<C: Client>(connect: impl FnOnce(String, String) -> C) -> ExitCode {
    let client = connect(variable("ROLLCALL_BASE_URL"), variable("ROLLCALL_API_KEY"));
    match run(&client).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failed { status, name }) => {
            println!("error {status} {name}");
            ExitCode::from(10)
        }
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

async fn run<C: Client>(client: &C) -> Result<(), Failed> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (task, what, options) = match arguments.as_slice() {
        [task, what, options @ ..] => (task.as_str(), what.as_str(), options),
        [task] => (task.as_str(), "", [].as_slice()),
        [] => ("", "", [].as_slice()),
    };
    let collection = match what {
        "automations" => Some(Collection::Automations),
        "contact-properties" => Some(Collection::ContactProperties),
        "contact-imports" => Some(Collection::ContactImports),
        _ => None,
    };
    match (task, collection) {
        ("list", Some(collection)) => show(&client.list(collection, query_of(options)).await?.ids),
        ("list-all", Some(collection)) => list_all(client, collection, query_of(options)).await?,
        ("get", _) => println!("{}", client.contact_import(what).await?),
        // A task of the matrix.
        ("fallback-values", _) => {
            for it in client.fallback_values().await? {
                println!("{it}");
            }
        }
        _ => println!("unsupported"),
    }
    Ok(())
}

fn query_of(options: &[String]) -> Query {
    let mut query = Query::default();
    for pair in options.chunks(2) {
        let [name, value] = pair else {
            panic!("an option without a value: {pair:?}")
        };
        let value = value.clone();
        match name.as_str() {
            "--limit" => query.limit = Some(value.parse().expect("a number")),
            "--after" => query.after = Some(value),
            "--before" => query.before = Some(value),
            "--status" => query.status = Some(value),
            _ => panic!("an unknown option: {name}"),
        }
    }
    query
}

async fn list_all<C: Client>(
    client: &C,
    collection: Collection,
    mut query: Query,
) -> Result<(), Failed> {
    loop {
        let page = client.list(collection, query.clone()).await?;
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
            return Err(Failed::new(200, "unreadable"));
        }
        *cursor = next.cloned();
    }
}

fn show(lines: &[String]) {
    for it in lines {
        println!("{it}");
    }
}
