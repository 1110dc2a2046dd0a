using System.CommandLine;
using BufferedMessages.Hosting;

namespace BufferedMessages.Tool;

/// <summary>The arguments that choose dead letters, and the letters that they choose.</summary>
internal sealed class DeadLetterSelection
{
    private readonly Argument<string> _queue = TargetResolver.QueueArgument();
    private readonly Option<string?> _handler = new("--handler") { Description = "Only those of this handler or bridge, as `dead ls` shows it.", HelpName = "NAME" };
    private readonly Option<string?> _reason = new("--reason") { Description = "Only those whose reason matches this regular expression; case is ignored.", HelpName = "REGEX" };
    private readonly Option<long[]> _positions = Positions.ListOption("--position", "Only the one at this position, as `dead show` shows it. Can be given several times.");

    /// <summary>Adds the arguments to a command.</summary>
    public void AddTo(Command command)
    {
        command.Arguments.Add(_queue);
        command.Options.Add(_handler);
        command.Options.Add(_reason);
        command.Options.Add(_positions);
    }

    /// <summary>Gets the full path of the queue.</summary>
    /// <exception cref="ToolException">There is no such queue.</exception>
    public string QueuePath(Call call) => TargetResolver.Find(call.Value(_queue), TargetKind.Queue).Path;

    /// <summary>Finds the chosen dead letters, by handler. Changes nothing.</summary>
    /// <param name="call">The command.</param>
    /// <param name="queue">The path of the queue.</param>
    /// <returns>Each chosen handler, also one without a chosen dead letter, with its dead letters in order.</returns>
    /// <exception cref="ToolException">The handler never had a dead letter, or the regular expression is wrong.</exception>
    public IReadOnlyList<(string Handler, IReadOnlyList<DeadLetter> Letters)> Find(Call call, string queue)
    {
        var isChosen = Choice(call);
        var chosen = new List<(string, IReadOnlyList<DeadLetter>)>();
        foreach (var handler in HandlersOf(queue, call.Value(_handler)))
        {
            call.Token.ThrowIfCancellationRequested();
            using var letters = DeadLetterQueue.Open(queue, handler);
            chosen.Add((handler, [.. letters.List().Where(isChosen)]));
        }

        return chosen;
    }

    /// <summary>Finds the chosen dead letters as <see cref="Find"/> does, without those of a handler whose dead letters cannot be read. Says which these are on the standard error.</summary>
    /// <param name="call">The command.</param>
    /// <param name="queue">The path of the queue.</param>
    /// <param name="code">The exit code for those that cannot be read.</param>
    /// <exception cref="ToolException">As for <see cref="Find"/>.</exception>
    public IReadOnlyList<(string Handler, IReadOnlyList<DeadLetter> Letters)> FindReadable(Call call, string queue, out ExitCode code)
    {
        code = ExitCode.Fine;
        var isChosen = Choice(call);
        var chosen = new List<(string, IReadOnlyList<DeadLetter>)>();
        foreach (var handler in HandlersOf(queue, call.Value(_handler)))
        {
            call.Token.ThrowIfCancellationRequested();
            using var letters = DeadLetterQueue.Open(queue, handler);
            try
            {
                chosen.Add((handler, [.. letters.List().Where(isChosen)]));
            }
            catch (Exception exception) when (Failures.CodeOf(exception) is { } failure)
            {
                call.Remark($"The dead letters of '{handler}' cannot be read: {exception.Message}");
                code = failure > code ? failure : code;
            }
        }

        return chosen;
    }

    /// <summary>Requires that each position on the command line is that of one dead letter: those of several handlers may have the same, and the first ones usually do.</summary>
    /// <param name="call">The command.</param>
    /// <param name="chosen">The chosen dead letters.</param>
    /// <exception cref="ToolException">Several handlers have a dead letter at a position.</exception>
    public void RequireOneOfEachPosition(Call call, IEnumerable<(string Handler, IReadOnlyList<DeadLetter> Letters)> chosen)
    {
        var shared = chosen.SelectMany(static of => of.Letters.Select(letter => (letter.Position, of.Handler))).GroupBy(static letter => letter.Position).FirstOrDefault(static letters => letters.Count() > 1);
        if (shared is not null && call.Value(_positions) is { Length: > 0 })
        {
            throw new ToolException($"Several handlers have a dead letter at position {shared.Key}: {string.Join(", ", shared.Select(static letter => $"'{letter.Handler}'"))}. Give one with --handler.");
        }
    }

    private Func<DeadLetter, bool> Choice(Call call)
    {
        var pattern = call.Value(_reason) is { } reason ? Patterns.Parse(reason) : null;
        var positions = call.Value(_positions) is { Length: > 0 } given ? given.ToHashSet() : null;
        return letter => positions?.Contains(letter.Position) != false && pattern?.IsMatch(letter.Reason) != false;
    }

    private static IReadOnlyList<string> HandlersOf(string queue, string? handler)
    {
        var all = DeadLetterQueue.ListHandlers(queue);
        return handler is null ? all
            : all.Contains(handler, StringComparer.Ordinal) ? [handler]
            : throw Nearby.MissingName($"The queue has no dead letters of '{handler}'.", handler, [.. all]);
    }
}
