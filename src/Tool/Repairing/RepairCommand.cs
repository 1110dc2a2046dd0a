using System.CommandLine;
using BufferedMessages.Queues;

namespace BufferedMessages.Tool;

/// <summary>Repairs a queue that no participant uses.</summary>
internal static class RepairCommand
{
    // Each stage of a repair is a round, and a repaired header shows the records after it.
    private const int MaxRounds = 100;

    private const string Explanation = """
        Repair a damaged queue. Without --apply nothing is changed, and the first steps are listed. Their result may need others, which --apply takes as well.

        Damaged bytes become padding, which readers step over: every sound message keeps its position. The bytes are kept in the queue's lost+found. No producer or consumer may be alive,
        except for --release-dead, which does the same as every participant that opens the queue.
        """;

    public static Command Create()
    {
        var queue = TargetResolver.QueueArgument();
        var apply = new Option<bool>("--apply") { Description = "Take the steps." };
        var cut = Positions.Option("--cut-at", "Cut off everything from this position on (durable queues).");
        var rebuild = new Option<bool>("--rebuild-control") { Description = "Make a new control file from the segments (durable queues)." };
        var schema = new Option<string?>("--schema") { Description = $"The schema for --rebuild-control if the old file has lost it, from {SchemaSource.Help}.", HelpName = "SOURCE" };
        var release = new Option<bool>("--release-dead") { Description = "Free the slots of participants that died." };
        var command = new ToolCommand(
            "repair", Explanation, "repair /var/lib/shop/orders", "repair /var/lib/shop/orders --apply", "repair /var/lib/shop/orders --rebuild-control --apply") { queue, apply, cut, rebuild, schema, release };
        command.Validators.Add(result =>
        {
            if (new Option[] { cut, rebuild, release }.Count(option => result.GetResult(option) is { Implicit: false }) > 1)
            {
                result.AddError("Give one of --cut-at, --rebuild-control and --release-dead.");
            }
            else if (result.GetResult(schema) is { Implicit: false } && result.GetResult(rebuild) is not { Implicit: false })
            {
                result.AddError("--schema is for --rebuild-control.");
            }
        });
        command.Run(call =>
        {
            var path = DamagedTarget.Find(call.Value(queue), TargetKind.Queue).Path;
            var isApplied = call.Value(apply);
            return call.Value(rebuild) ? Rebuild(call, path, call.Value(schema), isApplied)
                : call.Value(release) ? ReleaseDead(call, path, isApplied)
                : call.Value(cut) is { } position ? CutAt(call, path, position, isApplied)
                : Repair(call, path, isApplied);
        });
        return command;
    }

    private static ExitCode Repair(Call call, string path, bool isApplied)
    {
        InspectionReport report;
        int steps;
        for (var round = 0; ; round++)
        {
            (steps, report) = Round(call, path, isApplied && round < MaxRounds);
            if (steps == 0 || !isApplied || round >= MaxRounds)
            {
                break;
            }
        }

        // Damage that no step repairs, and records of a newer program.
        foreach (var finding in report.Findings.Where(finding => (isApplied || steps == 0) && finding.Kind is FindingKind.Damage or FindingKind.Torn or FindingKind.Unknown))
        {
            FindingOutput.Write(call, finding);
        }

        var code = FindingOutput.CodeOf(report.Findings);
        if (code == ExitCode.Fine && !call.IsJson)
        {
            call.WriteLine($"{Quantity.Count(report.Messages, "message")}: {call.Palette.Paint("sound", Ink.Good)}");
        }

        return code;
    }

    private static (int Steps, InspectionReport Report) Round(Call call, string path, bool isApplied)
    {
        var queue = QueueHandle.Open(path, isApplied ? FileAccess.ReadWrite : FileAccess.Read);
        try
        {
            var steps = QueueRepair.Plan(queue, call.Token, out var report);
            if (isApplied && steps.Count > 0)
            {
                // A program may have used the queue during the look, and closed it since.
                QueueRepair.RunAlone(queue, () =>
                {
                    steps = QueueRepair.Plan(queue, call.Token, out report);
                    Take(call, steps, isApplied);
                });
            }
            else
            {
                Take(call, steps, isApplied);
            }

            if (!isApplied && steps.Count > 0)
            {
                call.Remark("Nothing was changed. --apply takes these steps, and then any that the result still needs.");
            }

            return (steps.Count, report);
        }
        finally
        {
            queue.Release();
        }
    }

    private static ExitCode CutAt(Call call, string path, long position, bool isApplied)
    {
        var queue = QueueHandle.Open(path, isApplied ? FileAccess.ReadWrite : FileAccess.Read);
        try
        {
            if (queue.Control.Mode != QueueMode.Durable)
            {
                throw new ToolException("The queue is bounded, and its end cannot be cut off. Move its consumers past the place with `name seek`.");
            }

            if (isApplied)
            {
                // Retention deletes no segment between the look and the cut.
                QueueRepair.RunAlone(queue, () => Take(call, [QueueRepair.PlanCut(queue, position)], isApplied));
            }
            else
            {
                Take(call, [QueueRepair.PlanCut(queue, position)], isApplied);
                call.Remark("Nothing was changed. --apply takes this step.");
            }

            return ExitCode.Fine;
        }
        finally
        {
            queue.Release();
        }
    }

    private static ExitCode ReleaseDead(Call call, string path, bool isApplied)
    {
        var queue = QueueHandle.Open(path, isApplied ? FileAccess.ReadWrite : FileAccess.Read);
        try
        {
            if (!isApplied)
            {
                foreach (var finding in new ControlInspector(queue.Control).Inspect().Where(static finding => finding.Kind == FindingKind.Dead))
                {
                    Say(call, $"free its slot: {finding.Rule}", isTaken: false);
                }

                call.Remark("Nothing was changed. --apply frees the slots.");
                return ExitCode.Fine;
            }

            foreach (var (slot, isFree) in QueueRepair.ReleaseDead(queue))
            {
                Say(call, isFree ? $"participant {slot} is free" : $"participant {slot} keeps its slot: its message waits for another member of the group", isTaken: isFree);
            }

            return ExitCode.Fine;
        }
        finally
        {
            queue.Release();
        }
    }

    private static ExitCode Rebuild(Call call, string path, string? schema, bool isApplied)
    {
        var text = schema is null ? null : string.Join('\n', SchemaSource.Find(schema).Select(static version => version.Text));
        var rebuild = new ControlRebuild(path, text);
        if (!isApplied)
        {
            Take(call, rebuild.Steps, isApplied);
            call.Remark("Nothing was changed. --apply takes these steps. The flush mode will be none or an interval, and there will be no retention.");
            return ExitCode.Fine;
        }

        // A program may have used the queue during the look, and closed it since.
        rebuild.RunAlone(() => Take(call, new ControlRebuild(path, text).Steps, isApplied));
        return Repair(call, path, isApplied);
    }

    // Takes the steps, or only lists them.
    private static void Take(Call call, IReadOnlyList<RepairStep> steps, bool isApplied)
    {
        foreach (var step in steps)
        {
            Say(call, step.Text, isApplied);
            if (isApplied)
            {
                step.Take();
            }
        }
    }

    private static void Say(Call call, string text, bool isTaken)
    {
        try
        {
            Write(call, text, isTaken);
            if (isTaken)
            {
                call.Out.Flush();
            }
        }
        catch (OutputClosedException) when (isTaken)
        {
            throw new ToolException("The output was closed, so the repair ended between two steps. Run it again.");
        }
    }

    private static void Write(Call call, string text, bool isTaken)
    {
        if (call.IsJson)
        {
            call.Json.Write((text, isTaken), static (json, step) =>
            {
                json.WriteStartObject();
                json.WriteString("step"u8, step.text);
                json.WriteBoolean("applied"u8, step.isTaken);
                json.WriteEndObject();
            });
        }
        else
        {
            call.WriteLine($"{(isTaken ? "now" : "would")}  {TerminalText.Escape(text)}");
        }
    }
}
