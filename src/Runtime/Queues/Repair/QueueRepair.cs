using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The repair of a damaged queue. Damaged bytes become padding, which readers skip, so all sound messages keep their positions. The bytes are kept in lost+found. Each round
/// inspects the queue and plans the steps of one stage, since later stages depend on it: segments, then records, then the positions in the control file.
/// </summary>
internal static class QueueRepair
{
    /// <summary>Plans the next steps.</summary>
    /// <param name="queue">The queue. To plan only, it may be open for reading.</param>
    /// <param name="token">Ends the inspection.</param>
    /// <param name="report">The inspection.</param>
    /// <returns>The steps; empty if there is nothing to repair, or nothing that can be.</returns>
    public static IReadOnlyList<RepairStep> Plan(QueueHandle queue, CancellationToken token, out InspectionReport report)
    {
        report = QueueInspection.Run(queue.Directory, new InspectionDepth(Checksums: true, Messages: false), static _ => { }, token);
        var damage = report.Findings.Where(static finding => finding.Kind == FindingKind.Damage).ToList();
        if (report.Findings.Any(static finding => finding.Kind == FindingKind.Torn))
        {
            var torn = report.Findings.First(static finding => finding.Kind == FindingKind.Torn);
            return
            [
                new RepairStep(
                    $"cut off the end at {Text(torn.Position ?? 0)}, where the machine stopped, and keep {Text(torn.Bytes)} bytes in lost+found",
                    () => new CrashRecovery((FileSegments)queue.Segments).Run()),
            ];
        }

        if (damage.Any(finding => IsOfExtent(queue.Control, finding)))
        {
            return [];
        }

        var segments = new SegmentRepair(queue);
        var steps = segments.PlanSegments();
        steps = steps.Count > 0 ? steps : [.. damage.Where(finding => IsOfLog(queue, finding)).Select(segments.PlanPadding)];
        if (steps.Count > 0)
        {
            return steps;
        }

        var corrections = new ControlMarks(queue.Control).Corrections(damage, report.First * queue.Control.SegmentBytes, report.End);
        return [.. corrections.Select((correction, index) => new RepairStep(correction.Text, () =>
        {
            // A correction may change several words, and the file has all of them.
            if (index == 0)
            {
                Keep(queue.Control);
            }

            correction.Take();
        }))];
    }

    /// <summary>Plans to cut off the end of a durable queue.</summary>
    /// <exception cref="ArgumentException">No record begins at the position, or the machine stopped before it was on the disk.</exception>
    public static RepairStep PlanCut(QueueHandle queue, long position)
    {
        var segments = (FileSegments)queue.Segments;
        var number = position / queue.Control.SegmentBytes;
        if (position < 0 || !segments.IsOpen(number) || segments.FindClaimedEnd(number, position) != position)
        {
            throw new ArgumentException($"No record begins at {Text(position)}. `verify` and `dump` show positions.");
        }

        // The bytes after the whole records may be old, or may never have reached the disk.
        if (queue.Control.MayBeTorn && CrashRecovery.FindEnd(segments) is var end && position > end)
        {
            throw new ArgumentException($"The machine stopped, and the whole records end at {Text(end)}. Run `repair` without --cut-at first.");
        }

        var recovery = new CrashRecovery(segments, position);
        return new RepairStep($"cut off everything from {Text(position)} on, keep {Text(recovery.BytesAfterEnd)} bytes in lost+found, and begin another epoch", () => recovery.Run());
    }

    /// <summary>Reclaims the slots of participants that died. Safe while others are alive.</summary>
    /// <returns>The slots, each with whether it is free now; a member's message keeps its slot for the next member.</returns>
    public static IReadOnlyList<(int Slot, bool IsFree)> ReleaseDead(QueueHandle queue)
    {
        var control = queue.Control;
        using var membershipLock = MembershipLock.Acquire(control);
        var reclaimer = new SlotReclaimer(queue.Segments);
        var released = new List<(int, bool)>();
        for (var slot = 1; slot < control.UsedSlots; slot++)
        {
            if (control.Participant(slot).Role != ParticipantSlot.NoRole && DeadOwnerLock.TryAcquire(control, slot) is { } dead)
            {
                using (dead)
                {
                    released.Add((slot, reclaimer.TryReclaim(slot)));
                }
            }
        }

        return released;
    }

    /// <summary>Runs an action during which no participant may be alive.</summary>
    /// <exception cref="QueueInUseException">One is alive.</exception>
    public static void RunAlone(QueueHandle queue, Action action)
    {
        var control = queue.Control;
        ControlMap.CreateLeaseDirectory(control.Directory, control.Permissions);
        using var membershipLock = MembershipLock.Acquire(control);
        for (var slot = 1; slot < ParticipantSlot.Count; slot++)
        {
            if (!DeadOwnerLock.IsDead(control, slot))
            {
                throw MembershipLock.InUse(control, slot, $"The queue in '{control.Directory}', by its participant {Text(slot)},");
            }
        }

        action();
    }

    private static void Keep(ControlMap control) => LostAndFound.Save(
        control.Directory, control.Permissions, 0, [(control.Path, 0, ControlMap.TotalBytes)], [$"Positions in the control file of the queue in '{control.Directory}' were moved."]);

    // Without the extent of the queue, no position can be corrected.
    private static bool IsOfExtent(ControlMap control, Finding finding) =>
        finding.File == control.Path
        && (finding.Position == control.OffsetOf(ref control.Header.OpenSegments)
            || Enumerable.Range(0, control.Slots).Any(slot => control.OffsetOf(ref control.RingSlot(slot).State) == finding.Position));

    // A message that only breaks the rules of its schema can be read as a record.
    private static bool IsOfLog(QueueHandle queue, Finding finding) => finding.File != queue.Control.Path && finding is { Position: not null, Bytes: > 0 };

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
