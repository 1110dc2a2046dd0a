namespace BufferedMessages.CrossProcess.Dictionaries;

/// <summary>Compares a catalogue with the view of its message, every field, and counts them.</summary>
internal sealed class CatalogueComparison : FieldComparison
{
    public void Compare(Catalogue expected, CatalogueBufferedMessage actual)
    {
        Names(expected.AreaNames, actual.AreaNames);
        Names(expected.AudienceSubCategoryNames, actual.AudienceSubCategoryNames);
        Names(expected.BlockNames, actual.BlockNames);
        Names(expected.SeatCategoryNames, actual.SeatCategoryNames);
        Names(expected.SubTopicNames, actual.SubTopicNames);
        Names(expected.SubjectNames, actual.SubjectNames);
        Names(expected.TopicNames, actual.TopicNames);
        Names(expected.VenueNames, actual.VenueNames);
        Value(expected.Events?.Count ?? 0, actual.Events.Count);
        foreach (var (key, concert) in expected.Events ?? [])
        {
            Compare(concert, actual.Events[key]);
        }

        Value(expected.TopicSubTopics?.Count ?? 0, actual.TopicSubTopics.Count);
        foreach (var (key, topics) in expected.TopicSubTopics ?? [])
        {
            Numbers(topics, actual.TopicSubTopics[key]);
        }

        List(expected.Performances, actual.Performances, Compare);
    }

    private void Compare(Concert? expected, ConcertBufferedMessage actual)
    {
        if (IsNull(expected, actual.IsNull))
        {
            return;
        }

        Text(expected!.Description, actual.Description);
        Value(expected.Id, actual.Id);
        Text(expected.Logo, actual.Logo);
        Text(expected.Name, actual.Name);
        Numbers(expected.SubTopicIds, actual.SubTopicIds);
        Text(expected.SubjectCode, actual.SubjectCode);
        Text(expected.Subtitle, actual.Subtitle);
        Numbers(expected.TopicIds, actual.TopicIds);
    }

    private void Compare(Performance? expected, PerformanceBufferedMessage actual)
    {
        if (IsNull(expected, actual.IsNull))
        {
            return;
        }

        Value(expected!.EventId, actual.EventId);
        Value(expected.Id, actual.Id);
        Text(expected.Logo, actual.Logo);
        Text(expected.Name, actual.Name);
        Text(expected.SeatMapImage, actual.SeatMapImage);
        Value(expected.Start, actual.Start);
        Text(expected.VenueCode, actual.VenueCode);
        List(expected.Prices, actual.Prices, Compare);
        List(expected.SeatCategories, actual.SeatCategories, Compare);
    }

    private void Compare(Price? expected, PriceBufferedMessage actual)
    {
        if (!IsNull(expected, actual.IsNull))
        {
            Value(expected!.Amount, actual.Amount);
            Value(expected.AudienceSubCategoryId, actual.AudienceSubCategoryId);
            Value(expected.SeatCategoryId, actual.SeatCategoryId);
        }
    }

    private void Compare(SeatCategory? expected, SeatCategoryBufferedMessage actual)
    {
        if (IsNull(expected, actual.IsNull))
        {
            return;
        }

        Value(expected!.SeatCategoryId, actual.SeatCategoryId);
        List(expected.Areas, actual.Areas, Compare);
    }

    private void Compare(Area? expected, AreaBufferedMessage actual)
    {
        if (!IsNull(expected, actual.IsNull))
        {
            Value(expected!.AreaId, actual.AreaId);
            Numbers(expected.BlockIds, actual.BlockIds);
        }
    }

    private void List<T, TView>(List<T?>? expected, BufferedMessageList<TView> actual, Action<T?, TView> compare)
        where T : class
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        Value(expected?.Count ?? 0, actual.Count);
        for (var i = 0; i < actual.Count; i++)
        {
            compare(expected![i], actual[i]);
        }
    }

    private void Names(Dictionary<string, string?>? expected, BufferedStringDictionary<BufferedString, BufferedList<BufferedString>> actual)
    {
        Value(expected is null, actual.IsNull);
        Value(expected?.Count ?? 0, actual.Count);
        foreach (var (key, name) in expected ?? [])
        {
            Text(name, actual[key]);
        }
    }

    private void Numbers(List<long>? expected, ReadOnlySpan<long> actual)
    {
        Value(expected is null, actual.IsNull);
        Value(expected?.Count ?? 0, actual.Length);
        for (var i = 0; i < actual.Length; i++)
        {
            Value(expected![i], actual[i]);
        }
    }
}
