namespace Toolkit.Benchmarks.Messages.Documents;

/// <summary>The documents as Protobuf objects.</summary>
internal static class DocumentProtobuf
{
    public static Protobuf.AccessLog Convert(AccessLog source)
    {
        var result = new Protobuf.AccessLog();
        result.Requests.AddRange(source.Requests!.Select(Convert));
        return result;
    }

    public static Protobuf.Catalogue Convert(Catalogue source)
    {
        var result = new Protobuf.Catalogue();
        result.AreaNames.Add(source.AreaNames!);
        result.AudienceSubCategoryNames.Add(source.AudienceSubCategoryNames!);
        result.BlockNames.Add(source.BlockNames!);
        result.Events.Add(source.Events!.ToDictionary(static pair => pair.Key, static pair => Convert(pair.Value), StringComparer.Ordinal));
        result.Performances.AddRange(source.Performances!.Select(Convert));
        result.SeatCategoryNames.Add(source.SeatCategoryNames!);
        result.SubTopicNames.Add(source.SubTopicNames!);
        result.SubjectNames.Add(source.SubjectNames!);
        result.TopicNames.Add(source.TopicNames!);
        result.TopicSubTopics.Add(source.TopicSubTopics!.ToDictionary(static pair => pair.Key, static pair => new Protobuf.Ids { Values = { pair.Value } }, StringComparer.Ordinal));
        result.VenueNames.Add(source.VenueNames!);
        return result;
    }

    private static Protobuf.LogRequest Convert(LogRequest source)
    {
        var result = new Protobuf.LogRequest { Client = source.Client, Time = source.Time, Path = source.Path, Status = (uint)source.Status };
        SetIfAny(source.Method, value => result.Method = value);
        SetIfAny(source.Referrer, value => result.Referrer = value);
        SetIfAny(source.UserAgent, value => result.UserAgent = value);
        if (source.Bytes is { } bytes)
        {
            result.Bytes = bytes;
        }

        return result;
    }

    private static Protobuf.Concert Convert(Concert source)
    {
        var result = new Protobuf.Concert { Id = source.Id!.Value, SubTopicIds = { source.SubTopicIds }, TopicIds = { source.TopicIds } };
        SetIfAny(source.Description, value => result.Description = value);
        SetIfAny(source.Logo, value => result.Logo = value);
        SetIfAny(source.Name, value => result.Name = value);
        SetIfAny(source.SubjectCode, value => result.SubjectCode = value);
        SetIfAny(source.Subtitle, value => result.Subtitle = value);
        return result;
    }

    private static Protobuf.Performance Convert(Performance source)
    {
        var result = new Protobuf.Performance { EventId = source.EventId!.Value, Id = source.Id!.Value, Start = source.Start!.Value };
        SetIfAny(source.Logo, value => result.Logo = value);
        SetIfAny(source.Name, value => result.Name = value);
        SetIfAny(source.SeatMapImage, value => result.SeatMapImage = value);
        SetIfAny(source.VenueCode, value => result.VenueCode = value);
        result.Prices.AddRange(source.Prices!.Select(static price => new Protobuf.Price
        {
            Amount = price.Amount!.Value,
            AudienceSubCategoryId = price.AudienceSubCategoryId!.Value,
            SeatCategoryId = price.SeatCategoryId!.Value,
        }));
        result.SeatCategories.AddRange(source.SeatCategories!.Select(static category => new Protobuf.SeatCategory
        {
            SeatCategoryId = category.SeatCategoryId!.Value,
            Areas = { category.Areas!.Select(static area => new Protobuf.Area { AreaId = area.AreaId!.Value, BlockIds = { area.BlockIds } }) },
        }));
        return result;
    }

    // A Protobuf string is never null; one that is not set is absent.
    private static void SetIfAny(string? value, Action<string> set)
    {
        if (value is not null)
        {
            set(value);
        }
    }
}
