using Microsoft.Extensions.Logging;

namespace BufferedMessages.Hosting;

/// <summary>A client of requests, as all of its parts know it.</summary>
/// <param name="Queue">The name of its queue among the services.</param>
/// <param name="Label">The name of the queue's directory, as metrics and traces name the queue.</param>
/// <param name="Responder">The consumer name of the responder.</param>
/// <param name="Options">Its options.</param>
/// <param name="Logger">The log.</param>
internal sealed record RequestClientIdentity(string Queue, string Label, string Responder, RequestClientOptions Options, ILogger Logger);
